/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on the command line without the words that profile one. Tested by
 * tests/e2e/recognise.sh. */
#include "programs.h"

#include "documents.h"

#include "print/plain_output.h"

#include <opprof/pipeline.h>
#include <opprof/text.h>

#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_executable(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* Is the word an executable file, by its path or on PATH? */
static bool is_program(const char *word)
{
    const char *path = getenv("PATH");
    bool is_found = false;

    if (strchr(word, '/') != NULL) {
        return is_executable(word);
    }
    while (path != NULL && *path != '\0' && !is_found) {
        const int length = (int) strcspn(path, ":");
        char *whole = NULL;

        if (length > 0 && asprintf(&whole, "%.*s/%s", length, path, word) >= 0) {
            is_found = is_executable(whole);
            free(whole);
        }
        path += length + (path[length] == ':');
    }
    return is_found;
}

/* The commands that profile a program. */
typedef struct Commands {
    const char *program; /* as a shell takes it */
    FILE *out;           /* NULL: they are not printed */
    bool has_any;
} Commands;

/* Where programs run that the pipeline profiles; NULL: it profiles none. */
static const char *where_of(const OpprofPipelineDocument *document)
{
    return json_string_value(json_object_get(json_object_get(document->root, "programs"), "where"));
}

/* A document's `programs` says where programs run that the pipeline profiles. */
static void add_command(void *context, const OpprofPipelineDocument *document)
{
    Commands *commands = context;
    const char *place = where_of(document);

    if (place != NULL && commands->out != NULL) {
        fprintf(commands->out, "\n  opprof-run %s -- %s    (%s)", document->name, commands->program,
                place);
    }
    commands->has_any |= place != NULL;
}

bool ProgramsRunIn(const char *pipeline)
{
    Commands commands = { .out = NULL };
    OpprofError *unused = NULL;

    OpprofPipelineFindDocument(pipeline, add_command, &commands, &unused);
    OpprofErrorDestroy(unused);
    return commands.has_any;
}

/* The command line is as a shell takes it; pipeline NULL: each that runs programs. */
static OpprofStatus refuse(const char *program, const char *pipeline, const char *why,
                           OpprofError **error)
{
    char *list = NULL;
    size_t size = 0;
    Commands commands = { .program = program,
                          .out = program == NULL ? NULL : OpprofTextOpen(&list, &size) };
    OpprofStatus status = commands.out == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    if (status == OPPROF_OK) {
        status = pipeline == NULL
                     ? OpprofPipelineVisitDocuments(add_command, &commands, NULL)
                     : OpprofPipelineFindDocument(pipeline, add_command, &commands, NULL);
    }
    if (commands.out == NULL || fclose(commands.out) != 0 || status == OPPROF_E_MEMORY) {
        free(list);
        return OpprofErrorNoMemory(error, "list the commands");
    }
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "%s:%s", why, list);
    free(list);
    return OPPROF_E_ARGUMENT;
}

static OpprofStatus refuse_words(const char *const *words, size_t count, const char *pipeline,
                                 OpprofError **error)
{
    char *command = PlainQuote("", words, count);
    const OpprofStatus status =
        refuse(command, pipeline, "A program is profiled by its command line after '--'", error);

    free(command);
    return status;
}

/* ---- the pipeline of a program ---- */

/* The pipeline whose device or simulator is here. */
typedef struct Choice {
    char *pipeline; /* NULL: none so far */
    char *found;    /* the file that shows it */
    char *where;
} Choice;

/* The first file that fits a pattern, which may begin with "${NAME}", for free(); NULL: none. */
static char *first_file(const char *pattern)
{
    const size_t length = strncmp(pattern, "${", 2) == 0 ? strcspn(pattern, "}") : 0;
    char *name = length > 2 ? strndup(pattern + 2, length - 2) : NULL;
    const char *value = name == NULL ? NULL : getenv(name);
    glob_t files = { .gl_pathc = 0 };
    char *path = NULL;
    char *found = NULL;

    if ((length == 0 || (value != NULL && *value != '\0')) &&
        asprintf(&path, "%s%s", length == 0 ? "" : value,
                 pattern + (length > 0 ? length + 1 : 0)) >= 0) {
        found = glob(path, 0, NULL, &files) == 0 ? strdup(files.gl_pathv[0]) : NULL;
        globfree(&files);
        free(path);
    }
    free(name);
    return found;
}

static void choose(void *context, const OpprofPipelineDocument *document)
{
    Choice *choice = context;
    const json_t *patterns =
        json_object_get(json_object_get(document->root, "programs"), "found_by");
    const char *where = where_of(document);

    for (size_t i = 0; choice->pipeline == NULL && where != NULL && i < json_array_size(patterns);
         i++) {
        const char *pattern = json_string_value(json_array_get(patterns, i));

        choice->found = pattern == NULL ? NULL : first_file(pattern);
        if (choice->found != NULL) {
            choice->pipeline = strdup(document->name);
            choice->where = strdup(where);
        }
    }
}

/* A program after two dashes runs where a device or a simulator is found. */
static OpprofStatus choose_pipeline(Options *options, OpprofError **error)
{
    const char *program = options->app + strlen("app=");
    Choice choice = { .pipeline = NULL };
    OpprofStatus status = OpprofPipelineVisitDocuments(choose, &choice, error);

    if (status == OPPROF_OK && choice.pipeline == NULL) {
        status =
            refuse(program, NULL,
                   "There is no device here, and no simulator was found; name the pipeline", error);
    } else if (status == OPPROF_OK) {
        options->pipeline = options->recognised = choice.pipeline;
        if (!options->quiet) {
            fprintf(stderr, "opprof-run: runs %s ('%s' is there), with pipeline '%s'\n",
                    choice.where != NULL ? choice.where : "", choice.found, choice.pipeline);
        }
    }
    free(choice.found);
    free(choice.where);
    return status;
}

OpprofStatus ProgramsCheck(Options *options, OpprofError **error)
{
    const char *const *words = (const char *const *) options->words;
    const size_t count = (size_t) options->word_count;
    const size_t names = count > 0 && words[0] == options->pipeline;
    bool is_pipeline = false;
    OpprofStatus status;

    if (options->app != NULL && options->pipeline == NULL) {
        return choose_pipeline(options, error);
    }
    if (options->app != NULL || options->input == NULL || options->pipeline == NULL) {
        return OPPROF_OK;
    }
    status = DocumentsHave(options->pipeline, &is_pipeline, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (!is_pipeline && is_program(options->pipeline)) {
        return refuse_words(words, count, NULL, error);
    }
    if (is_pipeline && ProgramsRunIn(options->pipeline) && is_program(options->input)) {
        return refuse_words(words + names, count - names, options->pipeline, error);
    }
    return count <= names + 1
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "Unexpected argument '%s': a pipeline takes one input, such as the "
                                "directory of several files; see opprof-run --help",
                                words[count - 1]);
}

OpprofStatus ProgramsCheckUnread(const char *input, OpprofStatus status, OpprofError **error)
{
    if (status != OPPROF_E_NOT_FOUND || !is_program(input)) {
        return status;
    }
    OpprofErrorDestroy(*error);
    *error = NULL;
    return refuse_words(&input, 1, NULL, error);
}
