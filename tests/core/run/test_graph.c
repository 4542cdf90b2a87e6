/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/run/graph.c. */
#include "run/graph.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STAGES 16
#define MAX_REQUESTS 8

#define RECORD(type_name, ...)                                                                     \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = type_name, .size = 16,      \
        __VA_ARGS__                                                                                \
    }

static const OpprofRecordType event = RECORD("t.event");
static const OpprofRecordType other = RECORD("t.other");
static const OpprofRecordType table_one = RECORD("t.one", .flags = OPPROF_RECORD_TABLE);
static const OpprofRecordType table_two = RECORD("t.two", .flags = OPPROF_RECORD_TABLE);
static const OpprofRecordType event_v2 = {
    .struct_size = sizeof(OpprofRecordType), .version = 2, .name = "t.event", .size = 16
};
static const OpprofRecordType event_wide = {
    .struct_size = sizeof(OpprofRecordType), .version = 1, .name = "t.event", .size = 24
};

#define OUT(port_name, record, ...)                                                                \
    {                                                                                              \
        .name = port_name, .record_type = record, __VA_ARGS__                                      \
    }
#define IN(port_name, type_name, ...)                                                              \
    {                                                                                              \
        .name = port_name, .type = type_name, __VA_ARGS__                                          \
    }

#define MAKE(plugin_name, in_count, in_ports, out_count, out_ports)                                \
    {                                                                                              \
        .name = plugin_name, .inputs = in_ports, .input_count = in_count, .outputs = out_ports,    \
        .output_count = out_count                                                                  \
    }

static const OpprofPort out_event[] = { OUT("out", &event) };
static const OpprofPort out_sorted[] = { OUT("out", &event, .order = OPPROF_ORDER_START) };
static const OpprofPort out_v2[] = { OUT("out", &event_v2) };
static const OpprofPort out_wide[] = { OUT("out", &event_wide) };
static const OpprofPort out_other[] = { OUT("out", &other) };
static const OpprofPort out_one[] = { OUT("table", &table_one) };
static const OpprofPort out_two[] = { OUT("table", &table_two) };
static const OpprofPort out_pair[] = { OUT("left", &event), OUT("right", &event) };
static const OpprofPort out_mixed[] = { OUT("events", &event), OUT("table", &table_one),
                                        OUT("others", &other) };
static const OpprofPort out_untyped[] = { OUT("out", NULL) };
static const OpprofPort in_event[] = { IN("in", "t.event") };
static const OpprofPort in_many[] = { IN("in", "t.event", .flags = OPPROF_PORT_MANY) };
static const OpprofPort in_optional[] = { IN("in", "t.event", .flags = OPPROF_PORT_OPTIONAL) };
static const OpprofPort in_checked[] = { IN("in", "t.event", .record_type = &event) };
static const OpprofPort in_sorted[] = { IN("in", "t.event", .order = OPPROF_ORDER_START) };
static const OpprofPort in_ended[] = { IN("in", "t.event", .order = OPPROF_ORDER_END) };
static const OpprofPort in_tables[] = { IN("tables", OPPROF_ANY_TABLE, .flags = OPPROF_PORT_MANY) };
static const OpprofPort in_table[] = { IN("table", OPPROF_ANY_TABLE) };
static const OpprofPort in_any[] = { IN("any", OPPROF_ANY_RECORD) };
static const OpprofPort in_maybe[] = { IN("any", OPPROF_ANY_RECORD,
                                          .flags = OPPROF_PORT_OPTIONAL) };
static const OpprofPort in_two[] = { IN("events", "t.event"), IN("others", "t.other") };

/* of tables, so that every reader of tables would take them */
static const OpprofPort in_halves[] = { IN("in", "t.event"),
                                        IN("part", "t.one", .record_type = &table_one,
                                           .flags = OPPROF_PORT_PARTIAL) };
static const OpprofPort out_halves[] = { OUT("out", &other),
                                         OUT("part", &table_one, .flags = OPPROF_PORT_PARTIAL) };

static const OpprofPlugin plugins[] = {
    MAKE("source", 0, NULL, 1, out_event),
    MAKE("sorted-source", 0, NULL, 1, out_sorted),
    MAKE("v2-source", 0, NULL, 1, out_v2),
    MAKE("wide-source", 0, NULL, 1, out_wide),
    MAKE("other-source", 0, NULL, 1, out_other),
    MAKE("one-source", 0, NULL, 1, out_one),
    MAKE("two-source", 0, NULL, 1, out_two),
    MAKE("pair-source", 0, NULL, 2, out_pair),
    MAKE("mixed-source", 0, NULL, 3, out_mixed),
    MAKE("untyped-source", 0, NULL, 1, out_untyped),
    MAKE("filter", 1, in_event, 1, out_event),
    MAKE("loose-filter", 1, in_optional, 1, out_event),
    MAKE("table-filter", 1, in_tables, 1, out_one),
    MAKE("sink", 1, in_event, 0, NULL),
    MAKE("many-sink", 1, in_many, 0, NULL),
    MAKE("optional-sink", 1, in_optional, 0, NULL),
    MAKE("checked-sink", 1, in_checked, 0, NULL),
    MAKE("sorted-sink", 1, in_sorted, 0, NULL),
    MAKE("ended-sink", 1, in_ended, 0, NULL),
    MAKE("tables-sink", 1, in_tables, 0, NULL),
    MAKE("table-sink", 1, in_table, 0, NULL),
    MAKE("any-sink", 1, in_any, 0, NULL),
    MAKE("maybe-sink", 1, in_maybe, 0, NULL),
    MAKE("two-sink", 2, in_two, 0, NULL),
    MAKE("halves", 2, in_halves, 2, out_halves),
};

static GraphStage stages[MAX_STAGES];
static const OpprofRecordType *types[MAX_STAGES][4];
static size_t stage_count;
static GraphRequest requests[MAX_REQUESTS];
static size_t request_count;
static char words[512];
static char link_words[512];
static Graph graph;
static Problems problems;

static const OpprofPlugin *find_plugin(const char *name)
{
    for (size_t i = 0; i < OPPROF_COUNT(plugins); i++) {
        if (strcmp(plugins[i].name, name) == 0) {
            return &plugins[i];
        }
    }
    ck_assert_str_eq(name, "unknown");
    return NULL;
}

/* The next word of *rest, cut out; NULL if none. */
static char *next_word(char **rest)
{
    char *word = strsep(rest, " ");

    return word != NULL && *word != '\0' ? word : NULL;
}

/* Stages from "id:plugin id:plugin"; the plugin "unknown" could not be loaded. */
static void read_stages(const char *text)
{
    char *rest = words;
    char *word;

    stage_count = 0;
    snprintf(words, sizeof words, "%s", text);
    while ((word = next_word(&rest)) != NULL) {
        char *colon = strchr(word, ':');
        GraphStage *stage = &stages[stage_count];

        ck_assert_ptr_nonnull(colon);
        *colon = '\0';
        *stage = (GraphStage){ .id = word, .plugin = find_plugin(colon + 1) };
        for (uint32_t i = 0; stage->plugin != NULL && i < stage->plugin->output_count; i++) {
            types[stage_count][i] = stage->plugin->outputs[i].record_type;
        }
        stage->output_types = types[stage_count];
        stage_count++;
    }
}

/* Links from "a.b>c.d e>f". */
static void read_links(const char *text)
{
    static const char *const locations[] = { "/links/0", "/links/1", "/links/2", "/links/3" };
    char *rest = link_words;
    char *word;

    request_count = 0;
    snprintf(link_words, sizeof link_words, "%s", text);
    while ((word = next_word(&rest)) != NULL) {
        char *arrow = strchr(word, '>');

        ck_assert_ptr_nonnull(arrow);
        *arrow = '\0';
        requests[request_count] = (GraphRequest){ word, arrow + 1, locations[request_count] };
        request_count++;
    }
}

static void build(const char *stage_text, const char *link_text)
{
    read_stages(stage_text);
    read_links(link_text);
    problems = (Problems){ 0 };
    GraphBuild(stages, stage_count, requests, request_count, &graph, &problems);
}

static void teardown(void)
{
    GraphFinish(&graph);
    ProblemsFinish(&problems);
}

/* "a.out>b.in …; a b" */
static char *print_graph(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; i < graph.link_count; i++) {
        const GraphLink *link = &graph.links[i];
        const GraphStage *from = &stages[link->from_stage];
        const GraphStage *to = &stages[link->to_stage];

        fprintf(out, "%s%s.%s>%s.%s", i > 0 ? " " : "", from->id,
                from->plugin->outputs[link->from_port].name, to->id,
                to->plugin->inputs[link->to_port].name);
    }
    fputc(';', out);
    for (size_t i = 0; i < graph.stage_count; i++) {
        fprintf(out, " %s", stages[graph.order[i]].id);
    }
    fclose(out);
    return text;
}

typedef struct Good {
    const char *stages;
    const char *links;
    const char *graph;
} Good;

static const Good goods[] = {
    { "a:source", "", "; a" },
    /* one takes the nearest, many takes all */
    { "a:source b:source c:sink", "", "b.out>c.in; a b c" },
    { "a:source b:source c:many-sink", "", "a.out>c.in b.out>c.in; a b c" },
    { "a:pair-source c:many-sink", "", "a.left>c.in a.right>c.in; a c" },
    /* not what comes later */
    { "a:source c:sink b:source", "", "a.out>c.in; a c b" },
    { "c:optional-sink a:source", "", "; c a" },
    { "a:source c:optional-sink", "", "a.out>c.in; a c" },
    /* a stage that takes and gives hides what is before it */
    { "a:source f:filter c:many-sink", "", "a.out>f.in f.out>c.in; a f c" },
    { "a:source b:source f:filter d:source c:many-sink", "",
      "b.out>f.in f.out>c.in d.out>c.in; a b f d c" },
    { "a:source f:filter g:filter c:sink", "", "a.out>f.in f.out>g.in g.out>c.in; a f g c" },
    /* one that could take but had nothing to take hides nothing */
    { "f:loose-filter a:source c:many-sink", "", "f.out>c.in a.out>c.in; f a c" },
    /* any table takes every table, whatever the type */
    { "m:mixed-source t:two-source s:tables-sink", "", "m.table>s.tables t.table>s.tables; m t s" },
    { "m:mixed-source t:two-source s:table-sink", "", "t.table>s.table; m t s" },
    { "a:source m:one-source s:tables-sink", "", "m.table>s.tables; a m s" },
    /* a filter of tables hides the type that it also gives, and only that */
    { "o:one-source t:two-source f:table-filter s:tables-sink", "",
      "o.table>f.tables t.table>f.tables t.table>s.tables f.table>s.tables; o t f s" },
    /* explicit links win, for their port only */
    { "a:source b:source c:sink", "a.out>c.in", "a.out>c.in; a b c" },
    { "a:source b:source c:many-sink", "a>c", "a.out>c.in; a b c" },
    { "a:source b:source c:many-sink", "b>c a>c", "a.out>c.in b.out>c.in; a b c" },
    { "a:pair-source c:sink", "a.right>c", "a.right>c.in; a c" },
    { "m:mixed-source x:other-source c:two-sink", "m.others>c.others",
      "m.events>c.events m.others>c.others; m x c" },
    /* any record is linked by hand */
    { "m:mixed-source c:any-sink", "m.others>c", "m.others>c.any; m c" },
    { "m:mixed-source c:maybe-sink", "", "; m c" },
    /* partial ports are not linked by themselves, and a link need not name the only other port */
    { "a:source o:one-source h:halves s:tables-sink", "", "a.out>h.in o.table>s.tables; a o h s" },
    { "a:source h:halves c:any-sink", "a>h h>c", "a.out>h.in h.out>c.any; a h c" },
    { "a:source h:halves c:any-sink", "h.part>c", "a.out>h.in h.part>c.any; a h c" },
    { "o:one-source h:halves a:source", "o>h.part a>h.in", "a.out>h.in o.table>h.part; o a h" },
    /* links to what is further up the document */
    { "c:sink a:source", "a>c", "a.out>c.in; a c" },
    { "c:sink f:filter a:source", "f>c a>f", "f.out>c.in a.out>f.in; a f c" },
    /* order */
    { "a:sorted-source c:sorted-sink", "", "a.out>c.in; a c" },
    { "a:sorted-source c:sink", "", "a.out>c.in; a c" },
    { "a:source c:checked-sink", "", "a.out>c.in; a c" },
    /* versions do not matter to a port that names none */
    { "a:v2-source c:sink", "", "a.out>c.in; a c" },
    /* outputs that nobody reads */
    { "m:mixed-source c:sink", "", "m.events>c.in; m c" },
};

START_TEST(links_follow_the_rules)
{
    const Good *good = &goods[_i];
    char *text;

    build(good->stages, good->links);
    if (!ProblemsNone(&problems)) {
        ck_abort_msg("%s: %s", good->stages, problems.lines[0]);
    }
    text = print_graph();
    ck_assert_str_eq(text, good->graph);
    free(text);
}
END_TEST

typedef struct Bad {
    const char *stages;
    const char *links;
    const char *line;
} Bad;

static const Bad bads[] = {
    /* nothing to take */
    { "c:sink", "",
      "stage 'c': input 'in' needs records of type 't.event', which no stage before it offers. "
      "Offered: nothing." },
    { "m:other-source t:one-source c:sink", "",
      "stage 'c': input 'in' needs records of type 't.event', which no stage before it offers. "
      "Offered: t.other (m.out), t.one (t.table)." },
    { "m:other-source c:sink a:source", "",
      "stage 'c': input 'in' needs records of type 't.event', which no stage before it offers. "
      "Stage 'a' does: put it before this one, or add a link. Offered: t.other (m.out)." },
    { "a:source c:tables-sink", "",
      "stage 'c': input 'tables' needs a table, which no stage before it offers. "
      "Offered: t.event (a.out)." },
    { "a:source c:any-sink", "",
      "stage 'c': input 'any' takes any record and needs a link that says which." },
    { "a:pair-source c:sink", "",
      "stage 'c': 'c.in' takes one link, but stage 'a' offers 't.event' on several outputs: add "
      "one "
      "of them to the links." },
    { "a:untyped-source", "",
      "stage 'a': plugin 'untyped-source' gave its output 'out' no record type." },

    /* ends that do not exist */
    { "dump:source c:sink", "dmp.out>c.in",
      "/links/0/from: no stage 'dmp'. Did you mean 'dump'? Stages: dump, c." },
    { "a:source sink:sink", "a.out>snk.in",
      "/links/0/to: no stage 'snk'. Did you mean 'sink'? Stages: a, sink." },
    { "a:source c:sink", "a.oot>c.in",
      "/links/0/from: stage 'a' has no output 'oot'. Did you mean 'out'? Outputs: out." },
    { "a:source c:sink", "a.out>c.inn",
      "/links/0/to: stage 'c' has no input 'inn'. Did you mean 'in'? Inputs: in." },
    { "a:source c:sink", "a.>c", "/links/0/from: stage 'a' has no output ''. Outputs: out." },
    { "m:mixed-source c:sink", "m>c",
      "/links/0/from: stage 'm' has 3 outputs, so the link must name one. "
      "Outputs: events, table, others." },
    { "a:source f:filter", "a>a", "/links/0/to: stage 'a' has no inputs." },
    { "a:source f:filter c:sink", "f.in>c.in",
      "/links/0/from: 'in' is an input of stage 'f', not an output. Outputs: out." },
    { "a:source f:filter g:filter", "a>g.out",
      "/links/0/to: 'out' is an output of stage 'g', not an input. Inputs: in." },

    /* ends that do not fit */
    { "m:mixed-source c:sink", "m.others>c.in",
      "/links/0: 'm.others' gives records of type 't.other', but 'c.in' takes 't.event'." },
    { "m:mixed-source c:tables-sink", "m.others>c",
      "/links/0: 'm.others' gives records of type 't.other', which is not a table, but 'c.tables' "
      "takes "
      "tables." },
    { "a:v2-source c:checked-sink", "",
      "stage 'c': 'a.out' gives version 2 of 't.event', but 'c.in' takes version 1." },
    { "a:v2-source c:checked-sink", "a>c",
      "/links/0: 'a.out' gives version 2 of 't.event', but 'c.in' takes version 1." },
    { "a:wide-source c:checked-sink", "",
      "stage 'c': 'a.out' gives 't.event' in records of 24 bytes, but 'c.in' takes 16 bytes: one "
      "of "
      "the two plugins was built with other headers." },
    { "a:source c:sorted-sink", "",
      "stage 'c': 'a.out' gives records in no promised order, but 'c.in' needs them by start "
      "time." },
    { "a:sorted-source c:ended-sink", "",
      "stage 'c': 'a.out' gives records by start time, but 'c.in' needs them by end time." },

    /* too many */
    { "a:source b:source c:sink", "a>c b>c",
      "/links/1: 'c.in' takes only one link and has that of 'a.out' already." },
    { "a:source c:many-sink", "a>c a>c", "/links/1: 'c.in' is linked with 'a.out' already." },

    /* circles */
    { "f:filter", "f>f", "the links form a cycle: f -> f." },
    { "a:source f:filter g:filter", "g>f", "the links form a cycle: f -> g -> f." },
    { "a:source e:filter f:filter g:filter h:sink", "g>e",
      "the links form a cycle: e -> f -> g -> e." },
};

START_TEST(a_mistake_is_told_in_full)
{
    const Bad *bad = &bads[_i];

    build(bad->stages, bad->links);
    if (problems.count != 1) {
        ck_abort_msg("%zu mistakes in %s", problems.count, bad->stages);
    }
    ck_assert_str_eq(problems.lines[0], bad->line);
    ck_assert_uint_eq(graph.link_count, 0);
    ck_assert_ptr_null(graph.links);
    ck_assert_ptr_null(graph.order);
}
END_TEST

START_TEST(stages_are_found_where_the_document_has_them)
{
    read_stages("c:sink");
    read_links("");
    stages[0].location = "/stages/0 (stage 'c')";
    problems = (Problems){ 0 };
    GraphBuild(stages, stage_count, NULL, 0, &graph, &problems);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_int_eq(strncmp(problems.lines[0], "/stages/0 (stage 'c'): input", 28), 0);
}
END_TEST

START_TEST(links_made_by_hand_are_quoted)
{
    read_stages("a:source c:sink");
    requests[0] = (GraphRequest){ "a.x", "c", NULL };
    problems = (Problems){ 0 };
    GraphBuild(stages, stage_count, requests, 1, &graph, &problems);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0],
                     "link 'a.x' -> 'c': stage 'a' has no output 'x'. Outputs: out.");
}
END_TEST

START_TEST(several_mistakes_are_told_at_once)
{
    build("a:source b:other-source c:sink d:tables-sink", "b>c x>d");
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_str_eq(problems.lines[0], "/links/0: 'b.out' gives records of type 't.other', but "
                                        "'c.in' takes 't.event'.");
    ck_assert_str_eq(problems.lines[1], "/links/1/from: no stage 'x'. Stages: a, b, c, d.");
}
END_TEST

START_TEST(nothing_is_guessed_about_stages_that_could_not_be_loaded)
{
    build("a:unknown c:sink d:tables-sink", "a.out>d c.out>a");
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.lines[0],
                     "/links/1/from: stage 'c' has no output 'out'. Outputs: none.");
}
END_TEST

START_TEST(ends_that_are_missing_are_left_alone)
{
    read_stages("a:source c:sink");
    requests[0] = (GraphRequest){ NULL, "c.in", "/links/0" };
    requests[1] = (GraphRequest){ "a", NULL, "/links/1" };
    problems = (Problems){ 0 };
    GraphBuild(stages, stage_count, requests, 2, &graph, &problems);
    ck_assert(ProblemsNone(&problems));
    ck_assert_uint_eq(graph.link_count, 0);
}
END_TEST

START_TEST(no_stages_make_an_empty_graph)
{
    problems = (Problems){ 0 };
    GraphBuild(NULL, 0, NULL, 0, &graph, &problems);
    ck_assert(ProblemsNone(&problems));
    ck_assert_uint_eq(graph.stage_count, 0);
}
END_TEST

static char *print_dot(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    GraphPrintDot(stages, &graph, out);
    fclose(out);
    return text;
}

START_TEST(dot_is_stable)
{
    char *text;

    build("c:sink m:mixed-source t:two-source s:tables-sink", "m.events>c");
    text = print_dot();
    ck_assert_str_eq(text, "digraph pipeline {\n"
                           "    rankdir=LR;\n"
                           "    node [shape=box];\n"
                           "    \"c\" [label=\"c\\nsink\"];\n"
                           "    \"m\" [label=\"m\\nmixed-source\"];\n"
                           "    \"t\" [label=\"t\\ntwo-source\"];\n"
                           "    \"s\" [label=\"s\\ntables-sink\"];\n"
                           "    \"m\" -> \"c\" [label=\"t.event\"];\n"
                           "    \"m\" -> \"s\" [label=\"t.one\"];\n"
                           "    \"t\" -> \"s\" [label=\"t.two\"];\n"
                           "}\n");
    free(text);
}
END_TEST

START_TEST(dot_survives_strange_names)
{
    static const OpprofRecordType strange = RECORD("a\"b\\c\nd");
    char *text;

    build("a:source c:sink", "");
    stages[0].id = "say \"hi\\\"";
    types[0][0] = &strange;
    text = print_dot();
    ck_assert_ptr_nonnull(strstr(text, "    \"say \\\"hi\\\\\\\"\" -> \"c\" "
                                       "[label=\"a\\\"b\\\\c d\"];\n"));
    free(text);
}
END_TEST

START_TEST(a_long_chain_is_sorted_from_any_order)
{
    enum { COUNT = 256 };
    static GraphStage chain[COUNT];
    static GraphRequest links[COUNT];
    static char ids[COUNT][8];
    static const OpprofRecordType *const given[] = { &event };

    /* stage i takes from stage i + 1; the last one is the source */
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(ids[i], sizeof ids[i], "s%zu", i);
        chain[i] = (GraphStage){ .id = ids[i],
                                 .plugin = find_plugin(i + 1 == COUNT ? "source" : "filter"),
                                 .output_types = given };
        links[i] = (GraphRequest){ i + 1 < COUNT ? ids[i + 1] : NULL, ids[i], "/links/0" };
        snprintf(ids[i], sizeof ids[i], "s%zu", i);
    }
    for (size_t i = 0; i + 1 < COUNT; i++) {
        links[i].from = ids[i + 1];
    }
    problems = (Problems){ 0 };
    GraphBuild(chain, COUNT, links, COUNT - 1, &graph, &problems);
    ck_assert(ProblemsNone(&problems));
    ck_assert_uint_eq(graph.link_count, COUNT - 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_uint_eq(graph.order[i], COUNT - 1 - i);
    }
}
END_TEST

static Suite *graph_suite(void)
{
    Suite *suite = suite_create("graph");
    TCase *tcase = tcase_create("links");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, links_follow_the_rules, 0, (int) OPPROF_COUNT(goods));
    tcase_add_loop_test(tcase, a_mistake_is_told_in_full, 0, (int) OPPROF_COUNT(bads));
    tcase_add_test(tcase, stages_are_found_where_the_document_has_them);
    tcase_add_test(tcase, links_made_by_hand_are_quoted);
    tcase_add_test(tcase, several_mistakes_are_told_at_once);
    tcase_add_test(tcase, nothing_is_guessed_about_stages_that_could_not_be_loaded);
    tcase_add_test(tcase, ends_that_are_missing_are_left_alone);
    tcase_add_test(tcase, no_stages_make_an_empty_graph);
    tcase_add_test(tcase, dot_is_stable);
    tcase_add_test(tcase, dot_survives_strange_names);
    tcase_add_test(tcase, a_long_chain_is_sorted_from_any_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(graph_suite)
