/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of opprof-run, and its help. Tested by tests/e2e/pipeline_errors.sh. */
#include "options.h"

#include "print/plain_output.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/text.h>

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_PIPELINE = 256,
    OPTION_SET,
    OPTION_ADD,
    OPTION_WITHOUT,
    OPTION_FLAT,
    OPTION_COMPLETE,
    OPTION_JSON,
    OPTION_LIST,
    OPTION_INSPECT,
    OPTION_EXPLAIN,
    OPTION_SHOW,
    OPTION_DIFF,
    OPTION_QUERY,
    OPTION_WHERE,
    OPTION_SORT,
    OPTION_COLUMNS,
    OPTION_LIMIT,
    OPTION_PAGE,
    OPTION_FAIL_IF,
    OPTION_FORMAT,
    OPTION_VALIDATE,
    OPTION_GRAPH,
    OPTION_TAP,
    OPTION_RECORD,
    OPTION_REPLAY,
    OPTION_STATS,
    OPTION_TIMEOUT,
    OPTION_PLUGIN_PATH,
    OPTION_ALLOW_WRITABLE,
    OPTION_VERSION
};

static const struct option long_options[] = {
    { "pipeline", required_argument, NULL, OPTION_PIPELINE },
    { "set", required_argument, NULL, OPTION_SET },
    { "add", required_argument, NULL, OPTION_ADD },
    { "without", required_argument, NULL, OPTION_WITHOUT },
    { "output", required_argument, NULL, 'o' },
    { "flat", no_argument, NULL, OPTION_FLAT },
    { "complete", required_argument, NULL, OPTION_COMPLETE },
    { "json", no_argument, NULL, OPTION_JSON },
    { "list", no_argument, NULL, OPTION_LIST },
    { "inspect", required_argument, NULL, OPTION_INSPECT },
    { "explain", required_argument, NULL, OPTION_EXPLAIN },
    { "show", required_argument, NULL, OPTION_SHOW },
    { "diff", required_argument, NULL, OPTION_DIFF },
    { "query", required_argument, NULL, OPTION_QUERY },
    { "where", required_argument, NULL, OPTION_WHERE },
    { "sort", required_argument, NULL, OPTION_SORT },
    { "columns", required_argument, NULL, OPTION_COLUMNS },
    { "limit", required_argument, NULL, OPTION_LIMIT },
    { "page", required_argument, NULL, OPTION_PAGE },
    { "fail-if", required_argument, NULL, OPTION_FAIL_IF },
    { "format", required_argument, NULL, OPTION_FORMAT },
    { "validate", no_argument, NULL, OPTION_VALIDATE },
    { "graph", no_argument, NULL, OPTION_GRAPH },
    { "tap", required_argument, NULL, OPTION_TAP },
    { "record", required_argument, NULL, OPTION_RECORD },
    { "replay", required_argument, NULL, OPTION_REPLAY },
    { "stats", required_argument, NULL, OPTION_STATS },
    { "timeout", required_argument, NULL, OPTION_TIMEOUT },
    { "plugin-path", required_argument, NULL, OPTION_PLUGIN_PATH },
    { "allow-writable-plugins", no_argument, NULL, OPTION_ALLOW_WRITABLE },
    { "verbose", no_argument, NULL, 'v' },
    { "quiet", no_argument, NULL, 'q' },
    { "version", no_argument, NULL, OPTION_VERSION },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

/* The help, part by part. */
static const char help_usage[] =
    "usage: opprof-run [OPTION]... INPUT\n"
    "       opprof-run [OPTION]... NAME INPUT\n"
    "       opprof-run [OPTION]... NAME -- COMMAND [ARGUMENT]...\n"
    "       opprof-run [OPTION]... --pipeline FILE-OR-NAME [--set NAME=VALUE]...\n"
    "\n"
    "Runs a pipeline of plugins over profiling data, or over a program that it starts (NAME "
    "is\n"
    "sim-live or onboard-live). Without NAME it recognises the input. The path of the results "
    "is\n"
    "the last line on standard output; all other output of opprof-run goes to standard error.\n"
    "\n";

static const char help_run[] =
    "run\n"
    "  --pipeline FILE-OR-NAME  pipeline document, or the name of an installed one (see "
    "--list)\n"
    "  --set NAME=VALUE         set a variable; STAGE.PARAM=VALUE sets a stage's parameter\n"
    "  --add ID=PLUGIN[,PARAM=VALUE]...  add a stage to the pipeline\n"
    "  --without STAGE[,STAGE]  leave stages out, such as html: their files are not written\n"
    "  -o, --output DIR         where results go; default: the current directory\n"
    "  --flat                   write straight into DIR, not DIR/OPPROF_<time>_<random>\n"
    "  --timeout SECONDS        stop collecting after this time, and write the results so far\n"
    "  --tap STAGE.PORT[=FILE]  write the records of an output port as text; FILE.hex: as "
    "bytes\n"
    "  --record STAGE.PORT=FILE record an output port, for --replay\n"
    "  --replay [STAGE.PORT=]FILE  feed a recording to the readers of its port; stages "
    "without\n"
    "                           other readers do not run\n"
    "  --stats FILE             write the run's statistics as JSON\n";

static const char help_look[] =
    "look\n"
    "  --validate               check everything, run nothing\n"
    "  --graph                  print the stages and links in Graphviz dot\n"
    "  --list                   list plugins and pipelines\n"
    "  --inspect NAME           show a plugin's (NAME or FILE.so) ports and parameters, or a "
    "pipeline\n"
    "  --explain WORD|all       what a word of the report, a column, a table or a rule means; on\n"
    "                           the chip of --set chip= also a metric's formula and inputs\n";

static const char help_results[] =
    "results\n"
    "  --show RESULTS           print the report of a finished run again: its folder or "
    "database\n"
    "  --query NAME RESULTS [PARAMETER=VALUE]...  print a table, or the answer to a question: an\n"
    "                           installed one (see --list), or the SELECT in NAME.sql\n"
    "  --where RULE             with --query: rows that fit, 'duration_us > 100', 'name ~ matmul'\n"
    "  --sort COLUMN[:desc]     with --query: the order of rows\n"
    "  --columns LIST           with --query: these columns, with commas between them\n"
    "  --limit N                with --query: so many rows\n"
    "  --page N                 with --query: which page of so many rows, from 1\n"
    "  --diff A B               compare two results: folders or databases; a folder of "
    "several\n"
    "                           results counts as repetitions\n"
    "  --fail-if RULE           exit with 5 if a row is beyond it: 'Task Duration(us) > +5%'\n";

static const char help_other[] =
    "other\n"
    "  --format FORMAT          text or json; with --inspect also man, with --query also csv, "
    "with\n"
    "                           --diff also markdown or html\n"
    "  --json                   the same as --format json\n"
    "  --plugin-path DIR        look for plugins here first\n"
    "  --allow-writable-plugins also load plugins that other users could have written\n"
    "  --complete LIST          words for shell completion\n"
    "  -v, --verbose            say more (twice: even more)      -q, --quiet  only errors\n"
    "  --version                versions                         -h, --help   this text\n";

static const char help_end[] =
    "\n"
    "exit codes: 0 done, 1 failed, 2 wrong arguments or pipeline, 3 a plugin cannot be "
    "loaded,\n"
    "4 finished but incomplete, 5 a difference beyond --fail-if, 130 or 143 aborted\n"
    "\n"
    "  opprof-run dump/ --set chip=Ascend910B1 --output results\n";

void OptionsPrintHelp(void)
{
    fputs(help_usage, stdout);
    fputs(help_run, stdout);
    fputs(help_look, stdout);
    fputs(help_results, stdout);
    fputs(help_other, stdout);
    fputs(help_end, stdout);
}

__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...)
{
    char *text = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) {
        text = NULL;
    }
    va_end(list);
    if (text != NULL) {
        OpprofTextTame(text, false); /* a script may pass on what it was given */
    }
    fprintf(stderr, "opprof-run: error: %s; see opprof-run --help\n", text != NULL ? text : format);
    free(text);
    return false;
}

/* Not a mistake in the options, which would end with another code. */
_Noreturn static void end_without_memory(void)
{
    fputs("opprof-run: error: Cannot read the options: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

static bool append(OptionsTexts *texts, const char *text)
{
    if (!OpprofGrow(&texts->texts, &texts->capacity, texts->count + 1, sizeof(char *))) {
        end_without_memory();
    }
    texts->texts[texts->count++] = text;
    return true;
}

static bool parse_timeout(Options *options, const char *text)
{
    char *end = NULL;

    errno = 0;
    options->timeout_s = strtod(text, &end);
    if (errno != 0 || end == text || *end != '\0' || !(options->timeout_s > 0) ||
        !(options->timeout_s <= 1e9)) {
        return fail("--timeout needs seconds above 0, not '%s'", text);
    }
    return true;
}

static bool parse_count(const char *option, const char *text, uint64_t *ret_count)
{
    char *end = NULL;

    errno = 0;
    *ret_count = strtoull(text, &end, 10);
    return (errno == 0 && *end == '\0' && text[0] != '-' && *ret_count > 0) ||
           fail("%s needs a whole number above 0, not '%s'", option, text);
}

static bool set_action(Options *options, OptionsAction action)
{
    if (options->action != ACTION_RUN && options->action != action) {
        return fail(
            "--list, --inspect, --explain, --validate, --graph, --diff and --query exclude each "
            "other");
    }
    options->action = action;
    return true;
}

/* Most options: keep their value, or note that they were given. */
typedef enum Way { WAY_NONE, WAY_TEXT, WAY_LIST, WAY_FLAG } Way;

#define PLACE(member) offsetof(Options, member)

static const struct {
    int option;
    Way way;
    size_t place; /* of the member */
    OptionsAction action;
} plain_options[] = {
    { OPTION_PIPELINE, WAY_TEXT, PLACE(pipeline), ACTION_RUN },
    { OPTION_ADD, WAY_LIST, PLACE(additions), ACTION_RUN },
    { OPTION_WITHOUT, WAY_LIST, PLACE(without), ACTION_RUN },
    { 'o', WAY_TEXT, PLACE(output), ACTION_RUN },
    { OPTION_FLAT, WAY_FLAG, PLACE(flat), ACTION_RUN },
    { OPTION_TAP, WAY_LIST, PLACE(taps), ACTION_RUN },
    { OPTION_REPLAY, WAY_LIST, PLACE(replays), ACTION_RUN },
    { OPTION_STATS, WAY_TEXT, PLACE(stats), ACTION_RUN },
    { OPTION_PLUGIN_PATH, WAY_LIST, PLACE(plugin_paths), ACTION_RUN },
    { OPTION_ALLOW_WRITABLE, WAY_FLAG, PLACE(allow_writable), ACTION_RUN },
    { OPTION_JSON, WAY_FLAG, PLACE(json), ACTION_RUN },
    { OPTION_FAIL_IF, WAY_LIST, PLACE(rules), ACTION_RUN },
    { OPTION_WHERE, WAY_LIST, PLACE(where), ACTION_RUN },
    { OPTION_SORT, WAY_LIST, PLACE(sorts), ACTION_RUN },
    { OPTION_COLUMNS, WAY_TEXT, PLACE(columns), ACTION_RUN },
    { OPTION_COMPLETE, WAY_TEXT, PLACE(complete), ACTION_COMPLETE },
    { OPTION_LIST, WAY_NONE, 0, ACTION_LIST },
    { OPTION_INSPECT, WAY_TEXT, PLACE(inspect), ACTION_INSPECT },
    { OPTION_EXPLAIN, WAY_TEXT, PLACE(explain), ACTION_EXPLAIN },
    { OPTION_DIFF, WAY_TEXT, PLACE(diff), ACTION_DIFF },
    { OPTION_QUERY, WAY_TEXT, PLACE(query), ACTION_QUERY },
    { OPTION_VALIDATE, WAY_NONE, 0, ACTION_VALIDATE },
    { OPTION_GRAPH, WAY_NONE, 0, ACTION_GRAPH },
    { 'q', WAY_FLAG, PLACE(quiet), ACTION_RUN },
};

static bool keep(Options *options, Way way, size_t place, const char *value)
{
    void *member = (char *) options + place;

    switch (way) {
    case WAY_NONE:
        return true;
    case WAY_TEXT:
        *(const char **) member = value;
        return true;
    case WAY_LIST:
        return append(member, value);
    case WAY_FLAG:
        *(bool *) member = true;
        return true;
    }
    return false;
}

static bool take_plain(Options *options, int option, const char *value)
{
    for (size_t i = 0; i < sizeof plain_options / sizeof plain_options[0]; i++) {
        if (plain_options[i].option == option) {
            const bool is_kept = keep(options, plain_options[i].way, plain_options[i].place, value);

            return is_kept && (plain_options[i].action == ACTION_RUN ||
                               set_action(options, plain_options[i].action));
        }
    }
    return false;
}

static bool take(Options *options, int option, char *value)
{
    switch (option) {
    case OPTION_SET:
        if (strchr(value, '=') == NULL || value[0] == '=') {
            return fail("--set needs NAME=VALUE, not '%s'", value);
        }
        return append(&options->settings, value);
    case OPTION_RECORD:
        if (value[0] == '=' || strchr(value, '=') == NULL || strchr(value, '=')[1] == '\0') {
            return fail("--record needs STAGE.PORT=FILE, not '%s'", value);
        }
        return append(&options->recordings, value);
    case OPTION_TIMEOUT:
        return parse_timeout(options, value);
    case OPTION_LIMIT:
        return parse_count("--limit", value, &options->limit);
    case OPTION_PAGE:
        return parse_count("--page", value, &options->page);
    case OPTION_SHOW:
        options->shows = true;
        options->pipeline = "show";
        options->input = value;
        return true;
    case OPTION_FORMAT:
        options->format = value;
        options->json = strcmp(value, "json") == 0;
        return true;
    case OPTION_VERSION:
        options->action = ACTION_VERSION;
        return true;
    case 'h':
        options->action = ACTION_HELP;
        return true;
    case 'v':
        options->verbose++;
        return true;
    default:
        return take_plain(options, option, value);
    }
}

/* A long option like the word, without what is after its '='; NULL: none is near. */
static const char *nearest_option(const char *word)
{
    const char *names[sizeof long_options / sizeof long_options[0]];
    size_t count = 0;
    const char *nearest;
    char *name;

    if (strncmp(word, "--", 2) != 0) {
        return NULL;
    }
    name = strndup(word + 2, strcspn(word + 2, "="));
    if (name == NULL) {
        end_without_memory();
    }
    for (; long_options[count].name != NULL; count++) {
        names[count] = long_options[count].name;
    }
    nearest = OpprofNearestName(name, names, count);
    free(name);
    return nearest;
}

static bool refuse(int option, char **argv)
{
    const char *word = argv[optind > 1 ? optind - 1 : 1];
    const char *nearest;

    if (option == ':') {
        return fail("Option '%s' needs a value", word);
    }
    nearest = nearest_option(word);
    return nearest != NULL ? fail("Unknown option '%s' (did you mean '--%s'?)", word, nearest)
                           : fail("Unknown option '%s'", word);
}

static bool needs_pipeline(const Options *options)
{
    return options->action == ACTION_RUN || options->action == ACTION_VALIDATE ||
           options->action == ACTION_GRAPH;
}

/* opprof-run NAME -- COMMAND...: the command is what the pipeline's variable app gets. Without a
 * name it is said later which there are. */
static bool take_command(Options *options, char *name, char **words, int count)
{
    if (name != NULL && options->pipeline != NULL) {
        return fail("'%s' before -- and --pipeline both name a pipeline", name);
    }
    options->app = PlainQuote("app=", (const char *const *) words, (size_t) count);
    if (options->app == NULL) {
        end_without_memory();
    }
    options->pipeline = name != NULL ? name : options->pipeline;
    return append(&options->settings, options->app);
}

/* RESULTS and values of parameters. */
static bool take_asked(Options *options, char **words, int count)
{
    options->asked = words[0];
    for (int i = 1; i < count; i++) {
        if (strchr(words[i], '=') == NULL || words[i][0] == '=') {
            return fail("--query takes one result; '%s' is no PARAMETER=VALUE", words[i]);
        }
        append(&options->values, words[i]);
    }
    return true;
}

/* opprof-run INPUT and opprof-run NAME INPUT, also with --pipeline for the name. */
static bool take_input(Options *options, char **words, int count)
{
    if (options->action == ACTION_DIFF && count == 1) {
        options->diff[1] = words[0];
        return true;
    }
    if (options->action == ACTION_QUERY) {
        return take_asked(options, words, count);
    }
    if (!needs_pipeline(options)) {
        return fail("Unexpected argument '%s'", words[0]);
    }
    if (options->shows) {
        return fail("Unexpected argument '%s'", words[0]);
    }
    const int names = options->pipeline == NULL && count > 1;

    if (count > names + 1 && strchr(words[count - 1], '=') != NULL) {
        return fail("Unexpected argument '%s': variables are set by --set %s", words[count - 1],
                    words[count - 1]);
    }
    options->pipeline = names > 0 ? words[0] : options->pipeline;
    options->input = words[names];
    options->words = words;
    options->word_count = count;
    return true;
}

/* Words of the command line after "--"; 0 if none, or nothing after it. */
static int words_after_dashes(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            return argc - i - 1;
        }
    }
    return 0;
}

/* "text" and "json" suit all that is printed, the others only some of it. */
static bool check_format(const Options *options)
{
    const char *format = options->format != NULL ? options->format
                         : options->json         ? "json"
                                                 : "text";
    const bool is_diff = options->action == ACTION_DIFF;
    const bool is_look = options->action == ACTION_LIST || options->action == ACTION_INSPECT ||
                         options->action == ACTION_EXPLAIN;
    const bool is_plain = strcmp(format, "text") == 0 || strcmp(format, "json") == 0;
    const bool is_man = options->action == ACTION_INSPECT && strcmp(format, "man") == 0;
    const bool is_query = options->action == ACTION_QUERY;

    if (is_query) {
        return is_plain || strcmp(format, "csv") == 0 ||
               fail("--format must be text, csv or json, not '%s'", format);
    }
    if (!is_diff && !is_look && (options->format != NULL || options->json)) {
        return fail("%s is only for --list, --inspect, --explain, --query and --diff",
                    options->format != NULL ? "--format" : "--json");
    }
    if (is_diff && !is_plain && strcmp(format, "markdown") != 0 && strcmp(format, "html") != 0) {
        return fail("--format must be text, json, markdown or html, not '%s'", format);
    }
    return is_diff || is_plain || is_man ||
           fail("--format must be text%s or json here, not '%s'",
                options->action == ACTION_INSPECT ? ", man" : "", format);
}

bool OptionsParse(Options *options, int argc, char **argv)
{
    const int command = words_after_dashes(argc, argv);
    int option;

    *options = (Options){ 0 };
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:vqh", long_options, NULL)) != -1) {
        if (option == '?' || option == ':') {
            return refuse(option, argv);
        }
        if (!take(options, option, optarg)) {
            return false;
        }
        if (options->action == ACTION_HELP || options->action == ACTION_VERSION) {
            return true;
        }
    }
    if (command > 0 && argc - optind - command <= 1 &&
        (optind < argc - command || needs_pipeline(options)) &&
        !take_command(options, optind == argc - command ? NULL : argv[optind],
                      argv + argc - command, command)) {
        return false;
    }
    if (optind < argc && options->app == NULL &&
        !take_input(options, argv + optind, argc - optind)) {
        return false;
    }
    if (options->shows && (options->output != NULL || options->app != NULL)) {
        return fail("--show takes neither --output nor a command");
    }
    if (options->action == ACTION_DIFF && options->diff[1] == NULL) {
        return fail("--diff needs two results");
    }
    if (options->action == ACTION_QUERY && options->asked == NULL) {
        return fail("--query needs results");
    }
    if (options->action != ACTION_DIFF && options->rules.count > 0) {
        return fail("--fail-if needs --diff");
    }
    if (options->action != ACTION_QUERY &&
        (options->where.count > 0 || options->sorts.count > 0 || options->columns != NULL ||
         options->limit > 0 || options->page > 0)) {
        return fail("--where, --sort, --columns, --limit and --page need --query");
    }
    if (needs_pipeline(options) && options->pipeline == NULL && options->input == NULL &&
        options->app == NULL) {
        return fail("Neither an input nor --pipeline is given");
    }
    if (!check_format(options)) {
        return false;
    }
    if (options->flat && options->output == NULL) {
        return fail("--flat also needs --output DIR");
    }
    return true;
}

void OptionsFinish(Options *options)
{
    free(options->app);
    free(options->recognised);
    free((void *) options->settings.texts);
    free((void *) options->additions.texts);
    free((void *) options->without.texts);
    free((void *) options->taps.texts);
    free((void *) options->recordings.texts);
    free((void *) options->replays.texts);
    free((void *) options->rules.texts);
    free((void *) options->values.texts);
    free((void *) options->where.texts);
    free((void *) options->sorts.texts);
    free((void *) options->plugin_paths.texts);
}
