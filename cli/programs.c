/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on the command line without the words that profile one. Tested by
 * tests/e2e/recognise.sh. */
#include "programs.h"

#include "documents.h"

#include "print/plain_output.h"

#include <opprof/pipeline.h>

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

/* A document's `programs` says where programs run that the pipeline profiles. */
static void add_command(void *context, const OpprofPipelineDocument *document)
{
    Commands *commands = context;
    const char *place = json_string_value(json_object_get(document->root, "programs"));

    if (place != NULL && commands->out != NULL) {
        fprintf(commands->out, "\n  opprof-run %s -- %s    (%s)", document->name, commands->program,
                place);
    }
    commands->has_any |= place != NULL;
}

static bool runs_programs(const char *pipeline)
{
    Commands commands = { .out = NULL };
    OpprofError *unused = NULL;

    OpprofPipelineFindDocument(pipeline, add_command, &commands, &unused);
    OpprofErrorDestroy(unused);
    return commands.has_any;
}

/* The command line is as a shell takes it; pipeline NULL: each that runs programs. */
static OpprofStatus refuse(const char *program, const char *pipeline, OpprofError **error)
{
    char *list = NULL;
    size_t size = 0;
    Commands commands = { .program = program,
                          .out = program == NULL ? NULL : open_memstream(&list, &size) };
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
    OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                   "A program is profiled by its command line after '--':%s", list);
    free(list);
    return OPPROF_E_ARGUMENT;
}

static OpprofStatus refuse_words(const char *const *words, size_t count, const char *pipeline,
                                 OpprofError **error)
{
    char *command = PlainQuote("", words, count);
    const OpprofStatus status = refuse(command, pipeline, error);

    free(command);
    return status;
}

OpprofStatus ProgramsCheck(const Options *options, OpprofError **error)
{
    const char *const words[] = { options->pipeline, options->input };
    bool is_pipeline = false;
    OpprofStatus status;

    if (options->app != NULL && options->pipeline == NULL) {
        return refuse(options->app + strlen("app="), NULL, error);
    }
    if (options->app != NULL || options->input == NULL || options->pipeline == NULL) {
        return OPPROF_OK;
    }
    status = DocumentsHave(options->pipeline, &is_pipeline, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (!is_pipeline) {
        return is_program(options->pipeline) ? refuse_words(words, 2, NULL, error) : OPPROF_OK;
    }
    return runs_programs(options->pipeline) && is_program(options->input)
               ? refuse_words(words + 1, 1, options->pipeline, error)
               : OPPROF_OK;
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
