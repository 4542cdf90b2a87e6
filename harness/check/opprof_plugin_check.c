/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opprof-plugin-check: whether a module keeps the rules of plugins, case by case, each in a process
 * of its own. Tested by tests/harness/check.sh.
 */
#include "cases.h"

#include <opprof/opprof.h>

#include <getopt.h>
#include <libgen.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SETTINGS 64
#define MOST_ALLOCATIONS 40 /* each costs a run */

typedef struct Options {
    const char *file;
    const char *only;
    const char *settings[MOST_SETTINGS];
    size_t setting_count;
    const char *paths[MOST_SETTINGS];
    size_t path_count;
    const char *recordings[MOST_SETTINGS];
    size_t recording_count;
    unsigned seconds; /* a case may take; 0: as long as the case says */
    long allocations; /* that fail at most; 0: MOST_ALLOCATIONS */
    bool lists;
} Options;

static void print_help(void)
{
    puts("usage: opprof-plugin-check [OPTION]... FILE.so\n"
         "\n"
         "Checks a module in many cases, each in a process of its own, and prints the outcome as "
         "TAP.\n"
         "\n"
         "  --set PARAM=VALUE   a parameter for the runs; required ones get made-up values "
         "otherwise\n"
         "  --plugin-path DIR   where the modules are that give the records it takes\n"
         "  --recording PORT=FILE\n"
         "                      real records for an input, as opprof-run --record writes them\n"
         "  --only REGEX        only the cases whose names match\n"
         "  --timeout SECONDS   how long a case may take, instead of 10 to 60 s\n"
         "  --allocations N     how many allocations fail in the case memory, instead of 40\n"
         "  --list              list the cases\n"
         "  --version, --help\n"
         "\n"
         "exit codes: 0 all passed or were skipped, 1 a case failed, 2 wrong arguments");
}

static int refuse(const char *what, const char *which)
{
    fprintf(stderr, "opprof-plugin-check: %s%s%s%s; see opprof-plugin-check --help\n", what,
            which != NULL ? " '" : "", which != NULL ? which : "", which != NULL ? "'" : "");
    return 2;
}

/* Whether the text is a number from 1 to 999,999. */
static bool is_count(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && length <= 6 && strspn(text, "0123456789") == length &&
           strspn(text, "0") < length;
}

/* -1: go on; else the exit code. */
static int parse(Options *options, int argc, char **argv)
{
    static const struct option known[] = { { "set", required_argument, NULL, 's' },
                                           { "plugin-path", required_argument, NULL, 'p' },
                                           { "recording", required_argument, NULL, 'r' },
                                           { "only", required_argument, NULL, 'o' },
                                           { "timeout", required_argument, NULL, 't' },
                                           { "list", no_argument, NULL, 'l' },
                                           { "version", no_argument, NULL, 'v' },
                                           { "help", no_argument, NULL, 'h' },
                                           { "allocations", required_argument, NULL, 'a' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1) {
        if (option == 's' && options->setting_count < MOST_SETTINGS &&
            strchr(optarg, '=') != NULL) {
            options->settings[options->setting_count++] = optarg;
        } else if (option == 'p' && options->path_count < MOST_SETTINGS) {
            options->paths[options->path_count++] = optarg;
        } else if (option == 'r' && options->recording_count < MOST_SETTINGS &&
                   strchr(optarg, '=') != NULL) {
            options->recordings[options->recording_count++] = optarg;
        } else if (option == 'o') {
            options->only = optarg;
        } else if (option == 't' && strspn(optarg, "0123456789") == strlen(optarg)) {
            options->seconds = (unsigned) strtoul(optarg, NULL, 10);
        } else if (option == 'a' && is_count(optarg)) {
            options->allocations = strtol(optarg, NULL, 10);
        } else if (option == 'l') {
            options->lists = true;
        } else if (option == 'v') {
            printf("opprof-plugin-check %s, plugin ABI %d.%d\n", OpprofVersion(), OPPROF_ABI_MAJOR,
                   OPPROF_ABI_MINOR);
            return 0;
        } else if (option == 'h') {
            print_help();
            return 0;
        } else {
            return refuse("wrong option", NULL);
        }
    }
    options->file = argv[optind];
    return options->lists || (options->file != NULL && argv[optind + 1] == NULL)
               ? -1
               : refuse("name one module file", NULL);
}

static int list_cases(void)
{
    for (size_t i = 0; i < case_count; i++) {
        printf("%-16s%s\n", cases[i].name, cases[i].sentence);
    }
    return 0;
}

/* Whether the case passed. */
static bool print_case(size_t number, const Case *which, const Outcome *outcome)
{
    const bool failed = outcome->verdict == VERDICT_FAILED;

    printf("%sok %zu - %s: %s", failed ? "not " : "", number, which->name, which->sentence);
    if (outcome->verdict == VERDICT_SKIPPED) {
        printf(" # SKIP %s", outcome->reason);
    }
    putchar('\n');
    if (failed) {
        printf("# %s\n", outcome->reason);
    }
    return !failed;
}

static size_t run_cases(const Subject *subject, const regex_t *only, unsigned seconds)
{
    static const Case printing = { .name = "stdout",
                                   .sentence = "it prints nothing on standard output" };
    size_t number = 0, failures = 0;
    bool has_printed = false;

    for (size_t i = 0; i < case_count; i++) {
        Outcome outcome;

        if (only != NULL && regexec(only, cases[i].name, 0, NULL, 0) != 0) {
            continue;
        }
        outcome = ChildRun(cases[i].run, (void *) (uintptr_t) subject,
                           seconds != 0 ? seconds : cases[i].seconds);
        has_printed = has_printed || outcome.has_printed;
        failures += print_case(++number, &cases[i], &outcome) ? 0 : 1;
        fflush(stdout);
    }
    Outcome printed = { .verdict = has_printed ? VERDICT_FAILED : VERDICT_PASSED,
                        .reason = "Standard output belongs to the program; use OpprofLog" };
    failures += print_case(++number, &printing, &printed) ? 0 : 1;
    printf("1..%zu\n", number);
    return failures;
}

static int check(const Options *options, char *path)
{
    OpprofScratch *empty = NULL;
    char *name = strdup(path);
    char *directory = strdup(path);
    regex_t only;
    int code = 2;

    if (name == NULL || directory == NULL || OpprofScratchMake(NULL, &empty, NULL) != OPPROF_OK) {
        refuse("cannot make a temporary directory", NULL);
    } else if (options->only != NULL &&
               regcomp(&only, options->only, REG_EXTENDED | REG_NOSUB) != 0) {
        refuse("not a regular expression:", options->only);
    } else {
        char *base = basename(name);
        char *suffix = strstr(base, ".so");
        Subject subject = { .path = path,
                            .directory = dirname(directory),
                            .name = base,
                            .plugin_paths = options->paths,
                            .plugin_path_count = options->path_count,
                            .settings = options->settings,
                            .setting_count = options->setting_count,
                            .recordings = options->recordings,
                            .recording_count = options->recording_count,
                            .empty = OpprofScratchPath(empty),
                            .most_allocations = options->allocations != 0 ? options->allocations
                                                                          : MOST_ALLOCATIONS };

        if (suffix != NULL) {
            *suffix = '\0';
        }
        code = run_cases(&subject, options->only != NULL ? &only : NULL, options->seconds) == 0 ? 0
                                                                                                : 1;
        if (options->only != NULL) {
            regfree(&only);
        }
    }
    OpprofScratchRemove(empty);
    free(name);
    free(directory);
    return code;
}

int main(int argc, char **argv)
{
    Options options = { .file = NULL };
    int code = parse(&options, argc, argv);
    char *path;

    if (code >= 0) {
        return code;
    }
    signal(SIGCHLD, SIG_DFL); /* if it is ignored, no child can be waited for */
    if (options.lists) {
        return list_cases();
    }
    path = realpath(options.file, NULL);
    if (path == NULL) {
        return refuse("there is no file", options.file);
    }
    code = check(&options, path);
    free(path);
    return code;
}
