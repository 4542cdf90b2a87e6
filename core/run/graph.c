/* SPDX-License-Identifier: Apache-2.0 */
/* Links stages by the types of their ports, and checks links that are given. */
#include "run/graph.h"

#include "base/printed.h"
#include "plugin/descriptor.h"

#include <opprof/grow.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINKS 65536

typedef struct Builder {
    const GraphStage *stages;
    size_t stage_count;
    Problems *problems;
    GraphLink *links;
    size_t link_count;
    size_t link_capacity;
    bool *claimed; /* input ports, as slot_of() counts them, that have explicit links */
    bool *filters; /* output ports with a type that the stage takes too */
} Builder;

/* One end of a link that was asked for. */
typedef struct End {
    uint32_t stage;
    uint32_t port;
} End;

static size_t slot_of(size_t stage, size_t port)
{
    return stage * DESCRIPTOR_MAX_PORTS + port;
}

static const OpprofPort *input_port(const Builder *builder, const GraphLink *link)
{
    return &builder->stages[link->to_stage].plugin->inputs[link->to_port];
}

static const OpprofPort *output_port(const Builder *builder, const GraphLink *link)
{
    return &builder->stages[link->from_stage].plugin->outputs[link->from_port];
}

static const OpprofRecordType *output_type(const Builder *builder, const GraphLink *link)
{
    return builder->stages[link->from_stage].output_types[link->from_port];
}

static uint32_t output_count(const GraphStage *stage)
{
    return stage->plugin != NULL ? stage->plugin->output_count : 0;
}

static bool is_optional(const OpprofPort *port)
{
    return (port->flags & OPPROF_PORT_OPTIONAL) != 0;
}

static bool is_partial(const OpprofPort *port)
{
    return (port->flags & OPPROF_PORT_PARTIAL) != 0;
}

static bool takes_many(const OpprofPort *port)
{
    return (port->flags & OPPROF_PORT_MANY) != 0;
}

static bool is_table(const OpprofRecordType *type)
{
    return (type->flags & OPPROF_RECORD_TABLE) != 0;
}

/* True when an input port takes records of the type, as far as names show. */
static bool takes_type(const OpprofPort *input, const OpprofRecordType *type)
{
    if (strcmp(input->type, OPPROF_ANY_RECORD) == 0) {
        return true;
    }
    if (strcmp(input->type, OPPROF_ANY_TABLE) == 0) {
        return is_table(type);
    }
    return strcmp(input->type, type->name) == 0;
}

/* ---- reports ---- */

/* "stage.port" of the ends of a link. */
static const char *from_name(const Builder *builder, const GraphLink *link)
{
    return ProblemsText(builder->problems, "%s.%s", builder->stages[link->from_stage].id,
                        output_port(builder, link)->name);
}

static const char *to_name(const Builder *builder, const GraphLink *link)
{
    return ProblemsText(builder->problems, "%s.%s", builder->stages[link->to_stage].id,
                        input_port(builder, link)->name);
}

static const char *order_text(uint32_t order)
{
    return order == OPPROF_ORDER_START ? "by start time"
           : order == OPPROF_ORDER_END ? "by end time"
                                       : "in no promised order";
}

/* ---- links ---- */

static void report_type(const Builder *builder, const GraphLink *link, const char *location)
{
    const char *wanted = input_port(builder, link)->type;
    const bool any_table = strcmp(wanted, OPPROF_ANY_TABLE) == 0;

    ProblemsAdd(builder->problems, location,
                "'%s' gives records of type '%s',%s but '%s' takes %s.", from_name(builder, link),
                output_type(builder, link)->name, any_table ? " which is not a table," : "",
                to_name(builder, link),
                any_table ? "tables" : ProblemsText(builder->problems, "'%s'", wanted));
}

/* Version and size, where the input says which it was built for. */
static bool check_shape(const Builder *builder, const GraphLink *link, const char *location)
{
    const OpprofRecordType *given = output_type(builder, link);
    const OpprofRecordType *wanted = input_port(builder, link)->record_type;

    if (wanted == NULL) {
        return true;
    }
    if (given->version != wanted->version) {
        ProblemsAdd(builder->problems, location,
                    "'%s' gives version %" PRIu32 " of '%s', but '%s' takes version %" PRIu32 ".",
                    from_name(builder, link), given->version, given->name, to_name(builder, link),
                    wanted->version);
        return false;
    }
    if (given->size != wanted->size) {
        ProblemsAdd(builder->problems, location,
                    "'%s' gives '%s' in records of %" PRIu32 " bytes, but '%s' takes %" PRIu32
                    " bytes: one of the two plugins was built with other headers.",
                    from_name(builder, link), given->name, given->size, to_name(builder, link),
                    wanted->size);
        return false;
    }
    return true;
}

/* Whether both ends agree. What they disagree on is reported. */
static bool check_link(const Builder *builder, const GraphLink *link, const char *location)
{
    const OpprofPort *input = input_port(builder, link);
    const OpprofPort *output = output_port(builder, link);

    if (!takes_type(input, output_type(builder, link))) {
        report_type(builder, link, location);
        return false;
    }
    if (!check_shape(builder, link, location)) {
        return false;
    }
    if (input->order != OPPROF_ORDER_NONE && output->order != input->order) {
        ProblemsAdd(builder->problems, location, "'%s' gives records %s, but '%s' needs them %s.",
                    from_name(builder, link), order_text(output->order), to_name(builder, link),
                    order_text(input->order));
        return false;
    }
    return true;
}

static void append_link(Builder *builder, const GraphLink *link)
{
    if (builder->link_count >= MAX_LINKS) {
        ProblemsAdd(builder->problems, NULL, "the pipeline has more than %d links.", MAX_LINKS);
        return;
    }
    if (!OpprofGrow(&builder->links, &builder->link_capacity, builder->link_count + 1,
                    sizeof *builder->links)) {
        builder->problems->no_memory = true;
        return;
    }
    builder->links[builder->link_count++] = *link;
}

/* ---- explicit links ---- */

/* Index of the stage that the first `length` bytes name; stage_count: none. */
static size_t find_stage(const Builder *builder, const char *id, size_t length)
{
    size_t i = 0;

    while (i < builder->stage_count && (strlen(builder->stages[i].id) != length ||
                                        memcmp(builder->stages[i].id, id, length) != 0)) {
        i++;
    }
    return i;
}

static void report_stage(const Builder *builder, const char *location, const char *text,
                         size_t length)
{
    Problems *problems = builder->problems;
    const char *id = ProblemsText(problems, "%.*s", (int) length, text);
    const char **ids = calloc(builder->stage_count + 1, sizeof *ids);

    for (size_t i = 0; ids != NULL && i < builder->stage_count; i++) {
        ids[i] = builder->stages[i].id;
    }
    problems->no_memory |= ids == NULL;
    ProblemsAddName(problems, location, ProblemsText(problems, "no stage '%s'", id), id,
                    &(NameList){ "Stages", ids, ids != NULL ? builder->stage_count : 0 });
    free(ids);
}

/* The ports of a plugin in one direction. */
typedef struct Ports {
    const OpprofPort *ports;
    uint32_t count;
} Ports;

static Ports ports_of(const OpprofPlugin *plugin, bool is_input)
{
    return is_input ? (Ports){ plugin->inputs, plugin->input_count }
                    : (Ports){ plugin->outputs, plugin->output_count };
}

static const OpprofPort *find_port(Ports ports, const char *name)
{
    for (uint32_t i = 0; i < ports.count; i++) {
        if (strcmp(ports.ports[i].name, name) == 0) {
            return &ports.ports[i];
        }
    }
    return NULL;
}

/* The only port that takes part in ordinary runs; NULL if several do, or no port does. */
static const OpprofPort *find_only(Ports ports)
{
    const OpprofPort *only = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < ports.count; i++) {
        only = is_partial(&ports.ports[i]) ? only : &ports.ports[i];
        count += !is_partial(&ports.ports[i]);
    }
    return count == 1 ? only : NULL;
}

/* Report a port that does not exist or, with name NULL, is not named. */
static void report_port(const Builder *builder, const char *location, const GraphStage *stage,
                        const char *name, bool is_input)
{
    const Ports ports = ports_of(stage->plugin, is_input);
    const char *direction = is_input ? "input" : "output";
    const char *names[DESCRIPTOR_MAX_PORTS];
    const char *what;

    for (uint32_t i = 0; i < ports.count; i++) {
        names[i] = ports.ports[i].name;
    }
    if (name == NULL && ports.count == 0) {
        ProblemsAdd(builder->problems, location, "stage '%s' has no %ss.", stage->id, direction);
        return;
    }
    if (name == NULL) {
        what = ProblemsText(builder->problems,
                            "stage '%s' has %" PRIu32 " %ss, so the link must name one", stage->id,
                            ports.count, direction);
    } else if (find_port(ports_of(stage->plugin, !is_input), name) != NULL) {
        what = ProblemsText(builder->problems, "'%s' is an %s of stage '%s', not an %s", name,
                            is_input ? "output" : "input", stage->id, direction);
    } else {
        what = ProblemsText(builder->problems, "stage '%s' has no %s '%s'", stage->id, direction,
                            name);
    }
    ProblemsAddName(builder->problems, location, what, name != NULL ? name : "",
                    &(NameList){ is_input ? "Inputs" : "Outputs", names, ports.count });
}

/* The port of a text as resolve_end takes it; NULL: reported. */
static const OpprofPort *resolve_port(const Builder *builder, const char *location,
                                      const GraphStage *stage, const char *name, bool is_input)
{
    const Ports ports = ports_of(stage->plugin, is_input);
    const OpprofPort *port = name != NULL ? find_port(ports, name) : find_only(ports);

    if (port == NULL) {
        report_port(builder, location, stage, name, is_input);
    }
    return port;
}

/*
 * "stage.port", or "stage" with one port in the direction. False: reported, or nothing is known
 * about the stage.
 */
static bool resolve_end(const Builder *builder, const char *text, bool is_input,
                        const char *location, End *ret_end)
{
    size_t length = strcspn(text, ".");
    const char *name = text[length] == '.' ? text + length + 1 : NULL;
    size_t stage = find_stage(builder, text, length);
    const OpprofPlugin *plugin;
    const OpprofPort *port;

    if (stage == builder->stage_count) {
        report_stage(builder, location, text, length);
        return false;
    }
    plugin = builder->stages[stage].plugin;
    if (plugin == NULL) {
        return false;
    }
    port = resolve_port(builder, location, &builder->stages[stage], name, is_input);
    if (port == NULL) {
        return false;
    }
    *ret_end = (End){ (uint32_t) stage, (uint32_t) (port - ports_of(plugin, is_input).ports) };
    return true;
}

/* Adds a link whose ends exist. */
static void add_request(Builder *builder, const GraphLink *link, const char *location)
{
    bool many = takes_many(input_port(builder, link));

    if (output_type(builder, link) == NULL || !check_link(builder, link, location)) {
        return;
    }
    for (size_t i = 0; i < builder->link_count; i++) {
        const GraphLink *other = &builder->links[i];
        bool same_input = other->to_stage == link->to_stage && other->to_port == link->to_port;
        bool same_output =
            other->from_stage == link->from_stage && other->from_port == link->from_port;

        if (!same_input || (many && !same_output)) {
            continue;
        }
        ProblemsAdd(builder->problems, location, "'%s' %s '%s' already.", to_name(builder, other),
                    many ? "is linked with" : "takes only one link and has that of",
                    from_name(builder, other));
        return;
    }
    append_link(builder, link);
}

/* Where an end of a request is; "": all of it. */
static const char *request_location(const Builder *builder, const GraphRequest *request,
                                    const char *end)
{
    return request->location == NULL
               ? ProblemsText(builder->problems, "link '%s' -> '%s'", request->from, request->to)
               : ProblemsText(builder->problems, "%s%s%s", request->location,
                              *end != '\0' ? "/" : "", end);
}

static void resolve_request(Builder *builder, const GraphRequest *request)
{
    End from = { 0 };
    End to = { 0 };
    const bool has_from =
        request->from != NULL && resolve_end(builder, request->from, false,
                                             request_location(builder, request, "from"), &from);
    const bool has_to =
        request->to != NULL &&
        resolve_end(builder, request->to, true, request_location(builder, request, "to"), &to);

    if (has_to) {
        /* even if the other end is wrong: another link for the port would only add confusion */
        builder->claimed[slot_of(to.stage, to.port)] = true;
    }
    if (has_from && has_to) {
        add_request(builder, &(GraphLink){ from.stage, from.port, to.stage, to.port },
                    request_location(builder, request, ""));
    }
}

/* ---- links that follow from types ---- */

/* Looking for producers of one input port, from the nearest stage to the first. */
typedef struct Search {
    GraphLink link;                               /* to_stage and to_port are set */
    const char *hidden[DESCRIPTOR_MAX_PORTS * 8]; /* types that a nearer stage takes and gives */
    size_t hidden_count;
    size_t found;
    bool unknown; /* came past a stage of which nothing is known */
} Search;

static bool is_hidden(const Search *search, const char *type)
{
    for (size_t i = 0; i < search->hidden_count; i++) {
        if (strcmp(search->hidden[i], type) == 0) {
            return true;
        }
    }
    return false;
}

static void hide(Search *search, const char *type)
{
    if (search->hidden_count < OPPROF_COUNT(search->hidden) && !is_hidden(search, type)) {
        search->hidden[search->hidden_count++] = type;
    }
}

static void report_ambiguous(const Builder *builder, const Search *search, const char *location)
{
    ProblemsAdd(builder->problems, location,
                "'%s' takes one link, but stage '%s' offers '%s' on several outputs: add one of "
                "them to the links.",
                to_name(builder, &search->link), builder->stages[search->link.from_stage].id,
                output_type(builder, &search->link)->name);
}

/* Takes what one stage offers; true when the search is over. */
static bool search_stage(Builder *builder, Search *search, size_t stage, const char *location)
{
    const GraphStage *offering = &builder->stages[stage];
    GraphLink *link = &search->link;
    const OpprofPort *input = input_port(builder, link);
    bool many = takes_many(input);
    size_t found = 0;

    search->unknown |= offering->plugin == NULL;
    link->from_stage = (uint32_t) stage;
    for (link->from_port = 0; link->from_port < output_count(offering); link->from_port++) {
        const OpprofRecordType *type = output_type(builder, link);

        if (type == NULL || is_partial(output_port(builder, link)) || !takes_type(input, type) ||
            is_hidden(search, type->name)) {
            continue;
        }
        if (found > 0 && !many) {
            report_ambiguous(builder, search, location);
            return true;
        }
        found++;
        search->found++;
        if (check_link(builder, link, location)) {
            append_link(builder, link);
        }
    }
    for (uint32_t port = 0; many && port < output_count(offering); port++) {
        if (builder->filters[slot_of(stage, port)]) {
            hide(search, offering->output_types[port]->name);
        }
    }
    return found > 0 && !many;
}

/* Prints "type (stage.port)" for all outputs of the first `count` stages. */
static void print_offers(const Builder *builder, size_t count, FILE *out)
{
    bool first = true;

    for (size_t i = 0; i < count; i++) {
        const GraphStage *stage = &builder->stages[i];

        for (uint32_t port = 0; port < output_count(stage); port++) {
            if (stage->output_types[port] == NULL || is_partial(&stage->plugin->outputs[port])) {
                continue;
            }
            fprintf(out, "%s%s (%s.%s)", first ? "" : ", ", stage->output_types[port]->name,
                    stage->id, stage->plugin->outputs[port].name);
            first = false;
        }
    }
    if (first) {
        fputs("nothing", out);
    }
}

/* The first stage after `stage` with an output that the port takes; NULL: none. */
static const GraphStage *find_later(const Builder *builder, size_t stage, const OpprofPort *input)
{
    for (size_t i = stage + 1; i < builder->stage_count; i++) {
        const GraphStage *later = &builder->stages[i];

        for (uint32_t port = 0; port < output_count(later); port++) {
            if (later->output_types[port] != NULL && !is_partial(&later->plugin->outputs[port]) &&
                takes_type(input, later->output_types[port])) {
                return later;
            }
        }
    }
    return NULL;
}

static void report_missing(const Builder *builder, size_t stage, const OpprofPort *input,
                           const char *location)
{
    bool any_table = strcmp(input->type, OPPROF_ANY_TABLE) == 0;
    const GraphStage *later = find_later(builder, stage, input);
    Printed printed;
    char *offers;

    if (PrintedOpen(&printed) != NULL) {
        print_offers(builder, stage, printed.out);
    }
    offers = PrintedTake(&printed);
    if (offers == NULL) {
        builder->problems->no_memory = true;
    } else {
        ProblemsAdd(builder->problems, location,
                    "input '%s' needs %s%s%s, which no stage before it offers.%s%s%s Offered: %s.",
                    input->name, any_table ? "a table" : "records of type '",
                    any_table ? "" : input->type, any_table ? "" : "'",
                    later != NULL ? " Stage '" : "", later != NULL ? later->id : "",
                    later != NULL ? "' does: put it before this one, or add a link." : "", offers);
    }
    free(offers);
}

static void bind_port(Builder *builder, size_t stage, uint32_t port, const char *location)
{
    const OpprofPort *input = &builder->stages[stage].plugin->inputs[port];
    Search search = { .link = { .to_stage = (uint32_t) stage, .to_port = port } };
    bool done = false;

    if (strcmp(input->type, OPPROF_ANY_RECORD) == 0) {
        if (!is_optional(input)) {
            ProblemsAdd(builder->problems, location,
                        "input '%s' takes any record and needs a link that says which.",
                        input->name);
        }
        return;
    }
    for (size_t i = stage; i > 0 && !done; i--) {
        done = search_stage(builder, &search, i - 1, location);
    }
    if (search.found == 0 && !search.unknown && !is_optional(input)) {
        report_missing(builder, stage, input, location);
    }
}

/* Note the outputs whose type also comes in: those after this stage mean what it gives. */
static void note_filters(Builder *builder, size_t stage)
{
    const GraphStage *at = &builder->stages[stage];

    for (size_t i = 0; i < builder->link_count; i++) {
        const GraphLink *link = &builder->links[i];
        const OpprofRecordType *taken = output_type(builder, link);

        for (uint32_t port = 0; link->to_stage == stage && port < output_count(at); port++) {
            const OpprofRecordType *given = at->output_types[port];

            if (given != NULL && strcmp(given->name, taken->name) == 0) {
                builder->filters[slot_of(stage, port)] = true;
            }
        }
    }
}

static void bind_stage(Builder *builder, size_t stage)
{
    const GraphStage *at = &builder->stages[stage];
    const OpprofPlugin *plugin = at->plugin;
    const char *location;

    if (plugin == NULL) {
        return;
    }
    location =
        at->location != NULL ? at->location : ProblemsText(builder->problems, "stage '%s'", at->id);
    for (uint32_t port = 0; port < plugin->output_count; port++) {
        if (at->output_types[port] == NULL) {
            ProblemsAdd(builder->problems, location,
                        "plugin '%s' gave its output '%s' no record type.", plugin->name,
                        plugin->outputs[port].name);
        }
    }
    for (uint32_t port = 0; port < plugin->input_count; port++) {
        if (!builder->claimed[slot_of(stage, port)] && !is_partial(&plugin->inputs[port])) {
            bind_port(builder, stage, port, location);
        }
    }
    note_filters(builder, stage);
}

/* ---- order ---- */

static int compare_u32(uint32_t left, uint32_t right)
{
    return (left > right) - (left < right);
}

static int compare_links(const void *left, const void *right)
{
    const GraphLink *a = left;
    const GraphLink *b = right;
    int order = compare_u32(a->to_stage, b->to_stage);

    order = order != 0 ? order : compare_u32(a->to_port, b->to_port);
    order = order != 0 ? order : compare_u32(a->from_stage, b->from_stage);
    return order != 0 ? order : compare_u32(a->from_port, b->from_port);
}

/* True when all producers of the stage are placed. */
static bool is_ready(const Builder *builder, const bool *placed, size_t stage)
{
    for (size_t i = 0; i < builder->link_count; i++) {
        if (builder->links[i].to_stage == stage && !placed[builder->links[i].from_stage]) {
            return false;
        }
    }
    return true;
}

/* A producer of the stage that is not placed; there is one. */
static size_t unplaced_producer(const Builder *builder, const bool *placed, size_t stage)
{
    size_t i = 0;

    while (builder->links[i].to_stage != stage || placed[builder->links[i].from_stage]) {
        i++;
    }
    return builder->links[i].from_stage;
}

/* The stage of the cycle that comes first in the document. */
static size_t lowest_of_cycle(const Builder *builder, const bool *placed, size_t stage)
{
    size_t lowest = stage;

    for (size_t i = unplaced_producer(builder, placed, stage); i != stage;
         i = unplaced_producer(builder, placed, i)) {
        lowest = i < lowest ? i : lowest;
    }
    return lowest;
}

/*
 * Name the stages of one cycle. Every stage that is not placed has a producer that is not placed,
 * so that going back as many steps as there are stages ends on a cycle.
 */
static void report_cycle(const Builder *builder, const bool *placed)
{
    size_t stage = 0;
    size_t start;
    const char *text;

    while (placed[stage]) {
        stage++;
    }
    for (size_t i = 0; i < builder->stage_count; i++) {
        stage = unplaced_producer(builder, placed, stage);
    }
    start = lowest_of_cycle(builder, placed, stage);
    stage = start;
    text = builder->stages[start].id;
    do {
        stage = unplaced_producer(builder, placed, stage);
        text = ProblemsText(builder->problems, "%s -> %s", builder->stages[stage].id, text);
    } while (stage != start);
    ProblemsAdd(builder->problems, NULL, "the links form a cycle: %s.", text);
}

/* The lowest stage that is ready comes next, so that the document's order is kept where it can. */
static void sort_stages(const Builder *builder, uint32_t *order, bool *placed)
{
    for (size_t count = 0; count < builder->stage_count; count++) {
        size_t next = 0;

        while (next < builder->stage_count && (placed[next] || !is_ready(builder, placed, next))) {
            next++;
        }
        if (next == builder->stage_count) {
            report_cycle(builder, placed);
            return;
        }
        placed[next] = true;
        order[count] = (uint32_t) next;
    }
}

static void build(Builder *builder, const GraphRequest *requests, size_t request_count,
                  uint32_t *order, bool *placed)
{
    for (size_t i = 0; i < request_count; i++) {
        resolve_request(builder, &requests[i]);
    }
    for (size_t i = 0; i < builder->stage_count; i++) {
        bind_stage(builder, i);
    }
    if (builder->link_count > 0) {
        qsort(builder->links, builder->link_count, sizeof *builder->links, compare_links);
    }
    sort_stages(builder, order, placed);
}

static void make_graph(const GraphStage *stages, size_t stage_count, const GraphRequest *requests,
                       size_t request_count, Graph *ret_graph, Problems *problems)
{
    size_t slots = slot_of(stage_count, 0) + 1;
    Builder builder = {
        .stages = stages,
        .stage_count = stage_count,
        .problems = problems,
        .claimed = calloc(slots, sizeof(bool)),
        .filters = calloc(slots, sizeof(bool)),
    };
    uint32_t *order = calloc(stage_count + 1, sizeof *order);
    bool *placed = calloc(stage_count + 1, sizeof *placed);

    *ret_graph = (Graph){ 0 };
    if (builder.claimed == NULL || builder.filters == NULL || order == NULL || placed == NULL) {
        problems->no_memory = true;
    } else {
        build(&builder, requests, request_count, order, placed);
    }
    free(builder.claimed);
    free(builder.filters);
    free(placed);
    *ret_graph = (Graph){ builder.links, builder.link_count, order, stage_count };
}

void GraphBuild(const GraphStage *stages, size_t stage_count, const GraphRequest *requests,
                size_t request_count, Graph *ret_graph, Problems *problems)
{
    const size_t before = problems->count;

    make_graph(stages, stage_count, requests, request_count, ret_graph, problems);
    if (problems->count != before || problems->no_memory) {
        GraphFinish(ret_graph);
    }
}

bool GraphGuess(const GraphStage *stages, size_t stage_count, const GraphRequest *requests,
                size_t request_count, Graph *ret_graph)
{
    Problems ignored = { 0 };
    bool good;

    make_graph(stages, stage_count, requests, request_count, ret_graph, &ignored);
    good = !ignored.no_memory;
    ProblemsFinish(&ignored);
    return good;
}

void GraphFinish(Graph *graph)
{
    free(graph->links);
    free(graph->order);
    *graph = (Graph){ 0 };
}

/* ---- Graphviz ---- */

static void print_escaped(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', out);
        }
        fputc((unsigned char) *text < 0x20 ? ' ' : *text, out);
    }
}

static void print_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    print_escaped(text, out);
    fputc('"', out);
}

static void print_node(const GraphStage *stage, FILE *out)
{
    fputs("    ", out);
    print_quoted(stage->id, out);
    fputs(" [label=\"", out);
    print_escaped(stage->id, out);
    if (stage->plugin != NULL) {
        fputs("\\n", out);
        print_escaped(stage->plugin->name, out);
    }
    fputs("\"];\n", out);
}

void GraphPrintDot(const GraphStage *stages, const Graph *graph, FILE *out)
{
    fputs("digraph pipeline {\n    rankdir=LR;\n    node [shape=box];\n", out);
    for (size_t i = 0; i < graph->stage_count; i++) {
        if (!stages[i].is_idle) {
            print_node(&stages[i], out);
        }
    }
    for (size_t i = 0; i < graph->link_count; i++) {
        const GraphLink *link = &graph->links[i];

        fputs("    ", out);
        print_quoted(stages[link->from_stage].id, out);
        fputs(" -> ", out);
        print_quoted(stages[link->to_stage].id, out);
        fputs(" [label=", out);
        print_quoted(stages[link->from_stage].output_types[link->from_port]->name, out);
        fputs("];\n", out);
    }
    fputs("}\n", out);
}
