/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files with a question in SQL, and finds them in folders. Tested by
 * tests/plugins/advise/test_advise.
 */
#include "optional.h"
#include "words.h"

#include <opprof/questions.h>

#include <dirent.h>
#include <errno.h>
#include <opprof/grow.h>
#include <opprof/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX (1u << 20)
#define SUFFIX ".sql"

static const char *const rule_members[] = { "title",      "topic",    "todo",   "severity",
                                            "instead-of", "reason",   "source", "when",
                                            "optional",   "subjects", NULL };
static const char *const query_members[] = { "title", "parameters", "reason", "source", NULL };

const OpprofQuestionKind opprof_rules = { .name = "rule",
                                          .own_path = "OPPROF_RULES_PATH",
                                          .installed_path = "OPPROF_SYSTEM_RULES_PATH",
                                          .installed = OPPROF_RULES_DIR,
                                          .members = rule_members };
const OpprofQuestionKind opprof_queries = { .name = "query",
                                            .own_path = "OPPROF_QUERIES_PATH",
                                            .installed_path = "OPPROF_SYSTEM_QUERIES_PATH",
                                            .installed = OPPROF_QUERIES_DIR,
                                            .members = query_members };

static OpprofStatus no_memory(const char *path, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read '%s'", path);
}

/* ---- the head ---- */

/* A head being read. Texts are pieces of a copy of the file. */
typedef struct Head {
    const OpprofQuestionKind *kind;
    OpprofQuestion *question;
    OpprofQuestionMember *members;
    size_t capacity;
    char *value; /* of the last member, NULL: a comment came after it */
    unsigned line;
} Head;

static char *trim(char *text)
{
    char *end;

    text += strspn(text, " \t\r");
    end = text + strlen(text);
    while (end > text && strchr(" \t\r", end[-1]) != NULL) {
        *--end = '\0';
    }
    return text;
}

static OpprofStatus refuse_member(const Head *head, const char *name, OpprofError **error)
{
    size_t count = 0;
    const char *nearest;

    while (head->kind->members[count] != NULL) {
        count++;
    }
    nearest = OpprofNearestName(name, head->kind->members, count);
    OpprofErrorSet(error, OPPROF_E_DATA, "Line %u of '%s': the head of a %s has no '%s'",
                   head->line, head->question->path, head->kind->name, name);
    OpprofErrorHint(error, "%s%s%sA comment does not begin with a small word and a colon",
                    nearest == NULL ? "" : "Did you mean '", nearest == NULL ? "" : nearest,
                    nearest == NULL ? "" : "'? ");
    return OPPROF_E_DATA;
}

static bool is_permitted(const OpprofQuestionKind *kind, const char *name)
{
    size_t i = 0;

    while (kind->members[i] != NULL && strcmp(kind->members[i], name) != 0) {
        i++;
    }
    return kind->members[i] != NULL;
}

static OpprofStatus add_member(Head *head, const char *name, char *value, OpprofError **error)
{
    OpprofQuestion *question = head->question;

    if (!is_permitted(head->kind, name)) {
        return refuse_member(head, name, error);
    }
    if (OpprofQuestionHead(question, name) != NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Line %u of '%s': the head has two '%s'",
                              head->line, question->path, name);
    }
    if (!OpprofGrow(&head->members, &head->capacity, question->member_count + 1,
                    sizeof *head->members)) {
        return no_memory(question->path, error);
    }
    question->members = head->members;
    head->members[question->member_count++] =
        (OpprofQuestionMember){ .name = name, .value = value };
    head->value = value;
    return OPPROF_OK;
}

/* The rest of a line goes to the value before, of which it is a later part in the same memory. */
static void continue_value(Head *head, const char *rest)
{
    char *end = head->value + strlen(head->value);

    if (*rest != '\0') {
        *end = ' ';
        memmove(end + 1, rest, strlen(rest) + 1);
    }
}

/* A line of the head without its "--". */
static OpprofStatus take_line(Head *head, char *line, OpprofError **error)
{
    const size_t word = strspn(line + strspn(line, " "), "abcdefghijklmnopqrstuvwxyz-");
    const bool is_indented = strncmp(line, "  ", 2) == 0;
    char *name = trim(line);

    if (is_indented && head->value != NULL) {
        continue_value(head, name);
        return OPPROF_OK;
    }
    head->value = NULL;
    if (is_indented || word == 0 || name[word] != ':' ||
        (name[word + 1] != ' ' && name[word + 1] != '\0')) {
        return OPPROF_OK;
    }
    name[word] = '\0';
    return add_member(head, name, trim(name + word + 1), error);
}

/* `text` is a copy of the file, which keeps the values. */
static OpprofStatus read_head(Head *head, char *text, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char *rest = text;
    char *line;

    while (status == OPPROF_OK && (line = strsep(&rest, "\n")) != NULL) {
        line = trim(line);
        head->line++;
        if (strncmp(line, "--", 2) == 0) {
            status = take_line(head, line + 2, error);
        } else if (*line != '\0') {
            break;
        }
    }
    return status;
}

/* ---- a file ---- */

static void free_question(OpprofQuestion *question)
{
    free(question->name);
    free(question->path);
    free(question->sql);
    free(question->members);
    if (question->words != NULL) {
        OpprofTextMapFinish(question->words);
        free(question->words);
    }
}

/* The C library takes memory, too, to open and read. */
static OpprofStatus fail_to_read(const char *path, OpprofError **error)
{
    return errno == ENOMEM ? no_memory(path, error)
                           : OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", path);
}

/* All of a file, with as much room again for the values of its head; NULL: *status says why. */
static char *read_open(FILE *file, const char *path, OpprofStatus *status, OpprofError **error)
{
    struct stat info;
    const bool is_file = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    const size_t size = is_file && info.st_size <= FILE_MAX ? (size_t) info.st_size : 0;
    char *text = malloc(2 * (size + 1));
    const size_t length = text == NULL ? 0 : fread(text, 1, size, file);

    if (text == NULL) {
        *status = no_memory(path, error);
    } else if (!is_file || info.st_size > FILE_MAX) {
        *status = OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s", path,
                                 is_file ? "it is longer than 1 MiB" : "it is not a file");
    } else if (ferror(file)) {
        *status = fail_to_read(path, error);
    } else if (memchr(text, '\0', length) != NULL) {
        *status = OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': it is no text", path);
    }
    if (*status != OPPROF_OK) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    memcpy(text + length + 1, text, length + 1);
    return text;
}

static char *read_text(const char *path, OpprofStatus *status, OpprofError **error)
{
    FILE *file = fopen(path, "re");
    char *text;

    *status = OPPROF_OK;
    if (file == NULL) {
        *status = fail_to_read(path, error);
        return NULL;
    }
    text = read_open(file, path, status, error);
    fclose(file);
    return text;
}

static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const size_t length = strlen(name);
    const size_t suffix = strlen(SUFFIX);
    const bool has_suffix = length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;

    return strndup(name, has_suffix ? length - suffix : length);
}

OpprofStatus OpprofQuestionsRead(const OpprofQuestionKind *kind, const char *path,
                                 OpprofQuestions *questions, OpprofError **error)
{
    OpprofStatus status;
    char *text = read_text(path, &status, error);
    OpprofQuestion question = { .name = text == NULL ? NULL : name_of(path), .sql = text };
    Head head = { .kind = kind, .question = &question };

    if (text == NULL) {
        return status;
    }
    question.path = strdup(path);
    if (question.name == NULL || question.path == NULL ||
        !OpprofGrow(&questions->list, &questions->capacity, questions->count + 1,
                    sizeof *questions->list)) {
        status = no_memory(path, error);
    } else {
        status = read_head(&head, text + strlen(text) + 1, error);
    }
    if (status == OPPROF_OK) {
        status = OptionalCheck(OpprofQuestionHead(&question, "optional"), question.path, error);
    }
    if (status == OPPROF_OK && (question.words = WordsOf(text)) == NULL) {
        status = no_memory(path, error);
    }
    if (status != OPPROF_OK) {
        free_question(&question);
        return status;
    }
    questions->list[questions->count++] = question;
    return OPPROF_OK;
}

/* ---- folders ---- */

static bool is_file_of(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return entry->d_name[0] != '.' && length > strlen(SUFFIX) &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

static OpprofStatus read_entry(const OpprofQuestionKind *kind, const char *folder, const char *file,
                               OpprofQuestions *questions, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char *name = name_of(file);
    char *path = NULL;

    if (name == NULL || asprintf(&path, "%s/%s", folder, file) < 0) {
        free(name);
        return no_memory(folder, error);
    }
    if (OpprofQuestionsFind(questions, name) == NULL) {
        status = OpprofQuestionsRead(kind, path, questions, error);
    }
    free(name);
    free(path);
    return status;
}

static OpprofStatus read_folder(const OpprofQuestionKind *kind, const char *folder,
                                OpprofQuestions *questions, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    DIR *directory = opendir(folder);
    struct dirent *entry;

    if (directory == NULL) {
        return errno == ENOENT ? OPPROF_OK : fail_to_read(folder, error);
    }
    while (status == OPPROF_OK && (entry = readdir(directory)) != NULL) {
        if (is_file_of(entry)) {
            status = read_entry(kind, folder, entry->d_name, questions, error);
        }
    }
    closedir(directory);
    return status;
}

static OpprofStatus read_folders(const OpprofQuestionKind *kind, const char *folders,
                                 OpprofQuestions *questions, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    char *copy = strdup(folders);
    char *rest = copy;
    char *folder;

    if (copy == NULL) {
        return no_memory(folders, error);
    }
    while (status == OPPROF_OK && (folder = strsep(&rest, ":")) != NULL) {
        if (folder[0] != '\0') {
            status = read_folder(kind, folder, questions, error);
        }
    }
    free(copy);
    return status;
}

OpprofStatus OpprofQuestionsReadPath(const OpprofQuestionKind *kind, const char *path,
                                     OpprofQuestions *questions, OpprofError **error)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode)
               ? read_folder(kind, path, questions, error)
               : OpprofQuestionsRead(kind, path, questions, error);
}

static int by_name(const void *a, const void *b)
{
    const OpprofQuestion *x = a;
    const OpprofQuestion *y = b;

    return strcmp(x->name, y->name);
}

OpprofStatus OpprofQuestionsLoad(const OpprofQuestionKind *kind, OpprofQuestions *questions,
                                 OpprofError **error)
{
    const char *own = secure_getenv(kind->own_path);
    const char *installed = secure_getenv(kind->installed_path);
    OpprofStatus status = read_folders(kind, own == NULL ? "" : own, questions, error);

    if (status == OPPROF_OK) {
        status =
            read_folders(kind, installed == NULL ? kind->installed : installed, questions, error);
    }
    if (status == OPPROF_OK && questions->count > 0) {
        qsort(questions->list, questions->count, sizeof *questions->list, by_name);
    }
    return status;
}

const OpprofQuestion *OpprofQuestionsFind(const OpprofQuestions *questions, const char *name)
{
    for (size_t i = 0; i < questions->count; i++) {
        if (strcmp(questions->list[i].name, name) == 0) {
            return &questions->list[i];
        }
    }
    return NULL;
}

const char *OpprofQuestionHead(const OpprofQuestion *question, const char *name)
{
    for (size_t i = 0; i < question->member_count; i++) {
        if (strcmp(question->members[i].name, name) == 0) {
            return question->members[i].value;
        }
    }
    return NULL;
}

bool OpprofQuestionNames(const OpprofQuestion *question, const char *name)
{
    return WordsHave(question->words, name);
}

void OpprofQuestionsFree(OpprofQuestions *questions)
{
    for (size_t i = 0; i < questions->count; i++) {
        free_question(&questions->list[i]);
    }
    free(questions->list);
    *questions = (OpprofQuestions){ .count = 0 };
}
