/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chip file may state of simulators: names and lines of logs, and what instructions say and
 * do. Tested by tests/e2e/chip_mistakes.sh.
 */
#include "choices.h"

#include "lines/form.h"

#include <opprof/kit/facts.h>

#define REQUIRED .flags = OPPROF_FACT_REQUIRED
#define ALSO .flags = 0
#define OF(...) .of = OPPROF_FACT_OF(__VA_ARGS__)
#define FIELD(text, kind, ...)                                                                     \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_##kind, __VA_ARGS__                                 \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define LIST_OF_TEXTS(text, flag) FIELD(text, LIST, flag, OF(.type = OPPROF_FACT_IS_TEXT))
#define LIST_OF_OBJECTS(text, fields, flag)                                                        \
    FIELD(text, LIST, flag, OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)))
/* One form, or an array of some. */
#define FORMS(text, language, flag, largest)                                                       \
    FIELD(text, FORM, flag, .form = (language),                                                    \
          .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_LIST, .most = (largest),                 \
                                   OF(.type = OPPROF_FACT_IS_FORM, .form = (language))))

/* What those who read it have room for. */
#define MOST_KEYS 4
#define MOST_SOURCES 3
#define MOST_VALUES 32
#define MOST_LETS 16

/* ---- forms ---- */

/* The languages of those that read forms; here it only counts which fields there are, and how
 * often. */
#define TAKES(text, how)                                                                           \
    {                                                                                              \
        .name = (text), .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_##how                         \
    }
#define LANGUAGE(language, ...)                                                                    \
    static const OpprofFormField language##_fields[] = { __VA_ARGS__ };                            \
    static const OpprofFormLanguage language = { .fields = language##_fields,                      \
                                                 .field_count = OPPROF_COUNT(language##_fields) }

LANGUAGE(values, TAKES("hex", OPTIONAL), TAKES("decimal", OPTIONAL), TAKES("number", OPTIONAL),
         TAKES("word", OPTIONAL), TAKES("digits", OPTIONAL), TAKES("letter", OPTIONAL),
         TAKES("letters", OPTIONAL), TAKES("digit", OPTIONAL));
LANGUAGE(registers, TAKES("register", OPTIONAL), TAKES("register16", OPTIONAL),
         TAKES("small", OPTIONAL), TAKES("digits", OPTIONAL), TAKES("letter", OPTIONAL),
         TAKES("letters", OPTIONAL), TAKES("digit", OPTIONAL));
LANGUAGE(requests, TAKES("tick", REQUIRED), TAKES("interface", OPTIONAL), TAKES("pairs", OPTIONAL),
         TAKES("unit", OPTIONAL), TAKES("way", OPTIONAL), TAKES("instruction", OPTIONAL),
         TAKES("request", OPTIONAL), TAKES("size", OPTIONAL), TAKES("any", REPEATED));
LANGUAGE(file_name, TAKES("core", REQUIRED), TAKES("sub", OPTIONAL));
LANGUAGE(shared_file_name, TAKES("core", REQUIRED));
LANGUAGE(digit, TAKES("digit", REQUIRED));
LANGUAGE(warp, TAKES("warp", REQUIRED));
LANGUAGE(scheduler, TAKES("scheduler", REQUIRED));
LANGUAGE(masks, TAKES("predicate", REQUIRED), TAKES("executed", REQUIRED));

/* ---- logs ---- */

static const OpprofFactField interface_fields[] = {
    FIELD("end", TEXT, REQUIRED),
    FIELD("inside", TEXT, ALSO),
    FIELD("separator", TEXT, ALSO),
    END,
};
static const OpprofFactField request_fields[] = {
    FORMS("line", &requests, REQUIRED, SIM_FORMS),
    FIELD("interface", OBJECT, .of = interface_fields),
    LIST_OF_TEXTS("reads", REQUIRED),
    LIST_OF_TEXTS("writes", REQUIRED),
    FIELD("keys", MAP, .from = "'instruction','request','size'",
          OF(.type = OPPROF_FACT_IS_LIST, .most = MOST_KEYS, OF(.type = OPPROF_FACT_IS_TEXT))),
    FIELD("units", MAP, REQUIRED, OF(.type = OPPROF_FACT_IS_TEXT)),
    LIST_OF_TEXTS("moves", ALSO),
    END,
};
static const OpprofFactField log_fields[] = {
    FIELD("popped", FORM, REQUIRED, .form = &file_name),
    FIELD("instr", FORM, REQUIRED, .form = &file_name),
    FIELD("icache", FORM, .form = &file_name),
    FIELD("ccu", FORM, .form = &file_name),
    FIELD("mte", FORM, .form = &shared_file_name),
    FIELD("requests", OBJECT, .of = request_fields),
    FORMS("line", &sim_form_lines, ALSO, SIM_FORMS),
    END,
};
static const OpprofFactField mark_fields[] = {
    LIST_OF_TEXTS("registers", REQUIRED),
    FIELD("start", FORM, REQUIRED, .form = &digit),
    FIELD("stop", FORM, REQUIRED, .form = &digit),
    FIELD("edge", TEXT, ALSO),
    END,
};
static const OpprofFactField kernel_fields[] = {
    FIELD("file", TEXT, ALSO),
    FIELD("start", TEXT, ALSO),
    END,
};
static const OpprofFactField thread_fields[] = {
    FIELD("warp", FORM, REQUIRED, .form = &warp),
    FIELD("scheduler", FORM, REQUIRED, .form = &scheduler),
    FIELD("schedulers", WHOLE, .least = 1, .most = 10),
    FIELD("masks", FORM, .form = &masks),
    END,
};
static const OpprofFactField core_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("block", TEXT, REQUIRED),
    FIELD("sub_block", TEXT, ALSO),
    FIELD("single", TEXT, ALSO),
    END,
};
static const OpprofFactField guess_fields[] = {
    FIELD("candidate", BOOL, ALSO),
    FIELD("sub_cores", BOOL, ALSO),
    FIELD("ids", BOOL, ALSO),
    FIELD("icache_log_suffix", BOOL, ALSO),
    END,
};
static const OpprofFactField simulator_fields[] = {
    FIELD("pair_by", CHOICE, .from = "'pc','id'"),
    FIELD("logical_cores", BOOL, ALSO),
    FIELD("simt", BOOL, ALSO),
    FIELD("folder", TEXT, ALSO),
    FIELD("icache_file", TEXT, ALSO),
    FORMS("icache_miss", &sim_form_misses, ALSO, SIM_FORMS),
    FIELD("ccu_file", TEXT, ALSO),
    FIELD("mte_file", TEXT, ALSO),
    FORMS("fetches", &sim_form_events, ALSO, SIM_FORMS),
    FORMS("issues", &sim_form_events, ALSO, SIM_FORMS),
    FIELD("requests", OBJECT, .of = request_fields),
    FIELD("ends", TEXT, ALSO),
    FIELD("flags", TEXT, ALSO),
    FIELD("operands", NAME, .from = "instructions"),
    FIELD("metrics", LIST,
          OF(.type = OPPROF_FACT_IS_CHOICE,
             .from = "'PipeUtilization','ResourceConflictRatio','PMSampling','Overhead'")),
    FIELD("cores", WHOLE, .least = 1, .most = UINT32_MAX),
    FIELD("vector_cores", WHOLE, .most = UINT32_MAX),
    FIELD("logs", OBJECT, .of = log_fields),
    FIELD("marks", OBJECT, .of = mark_fields),
    FIELD("kernel", OBJECT, .of = kernel_fields),
    FIELD("threads", OBJECT, .of = thread_fields),
    FIELD("logical_core", OBJECT, .of = core_fields),
    FIELD("guess", OBJECT, .of = guess_fields),
    END,
};
static const OpprofFactTable simulator = { .fields = simulator_fields };

/* ---- how it is drawn ---- */

#define PIPE(text, flag) FIELD(text, NAME, flag, .from = "pipes.known")
#define PLACE(text) FIELD(text, WHOLE, .most = UINT32_MAX)

static const OpprofFactField load_store_fields[] = {
    PIPE("pipe", REQUIRED),
    FIELD("holds", TEXT, REQUIRED),
    END,
};
static const OpprofFactField pipe_fields[] = {
    LIST_OF_TEXTS("printed", ALSO),
    LIST_OF_TEXTS("in_flags", ALSO),
    FIELD("colour", TEXT, ALSO),
    PLACE("rank"),
    PLACE("lane"),
    END,
};
static const OpprofFactField pipes_fields[] = {
    PIPE("other", ALSO),
    FIELD("other_colour", TEXT, ALSO),
    PLACE("other_rank"),
    PLACE("other_lane"),
    PIPE("scalar", ALSO),
    LIST_OF_TEXTS("front_end", ALSO),
    PIPE("cache_miss", ALSO),
    PIPE("user_mark", ALSO),
    FIELD("load_store", OBJECT, .of = load_store_fields),
    FIELD("of_names", MAP, OF(.type = OPPROF_FACT_IS_NAME, .from = "pipes.known")),
    FIELD("known", MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = pipe_fields)),
    END,
};
static const OpprofFactTable pipes = { .fields = pipes_fields };

static const OpprofFactField between_fields[] = {
    FIELD("set", TEXT, REQUIRED),
    FIELD("wait", TEXT, REQUIRED),
    FIELD("set_i", TEXT, ALSO),
    FIELD("wait_i", TEXT, ALSO),
    FIELD("hub", TEXT, REQUIRED),
    FIELD("spoke", TEXT, REQUIRED),
    FIELD("spokes", WHOLE, REQUIRED, .least = 1, .most = 64),
    FIELD("ids", WHOLE, REQUIRED, .least = 1, .most = 65536),
    FIELD("pipe", TEXT, REQUIRED),
    FIELD("id", TEXT, REQUIRED),
    END,
};
static const OpprofFactField flag_fields[] = {
    LIST_OF_TEXTS("set", ALSO),
    LIST_OF_TEXTS("wait", ALSO),
    LIST_OF_TEXTS("barrier", ALSO),
    FIELD("set_colour", TEXT, ALSO),
    FIELD("wait_colour", TEXT, ALSO),
    FIELD("between_cores", OBJECT, .of = between_fields),
    /* Beginnings of names, for hot spots. */
    LIST_OF_TEXTS("waits", ALSO),
    LIST_OF_TEXTS("barriers", ALSO),
    LIST_OF_TEXTS("no_work", ALSO),
    END,
};
static const OpprofFactTable flags = { .fields = flag_fields };

static const OpprofFactField warp_members[] = {
    FIELD("prefix", TEXT, ALSO),
    FIELD("other_colour", TEXT, ALSO),
    PLACE("rank"),
    PLACE("lane"),
    FIELD("colours", MAP, OF(.type = OPPROF_FACT_IS_TEXT)),
    END,
};
static const OpprofFactTable warps = { .fields = warp_members };

/* ---- instructions ---- */

#define COUNT(text, flag)                                                                          \
    FIELD(text, COUNT, flag, .from = ".operands.values,.operands.values.*.means,.let")
#define NEEDS FIELD("needs", LIST, OF(.type = OPPROF_FACT_IS_NAME, .from = ".operands.values"))
/* What each element has: its instructions, what it needs, and intermediate results. */
#define RULE                                                                                       \
    LIST_OF_TEXTS("names", REQUIRED), NEEDS,                                                       \
        FIELD("let", MAP, .most = MOST_LETS,                                                       \
              OF(.type = OPPROF_FACT_IS_COUNT,                                                     \
                 .from = ".operands.values,.operands.values.*.means,.let"))

static const OpprofFactField value_fields[] = {
    FORMS("form", &values, REQUIRED, 0),
    FIELD("means", MAP, REQUIRED, OF(.type = OPPROF_FACT_IS_WHOLE)),
    END,
};
static const OpprofFactField value = {
    .type = OPPROF_FACT_IS_FORM,
    .form = &values,
    .either =
        OPPROF_FACT_OF(.type = OPPROF_FACT_IS_LIST,
                       OF(.type = OPPROF_FACT_IS_FORM, .form = &values),
                       .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = value_fields)),
};
static const OpprofFactField operand_fields[] = {
    FIELD("values", MAP, .most = MOST_VALUES, .of = &value),
    FIELD("registers", LIST, OF(.type = OPPROF_FACT_IS_FORM, .form = &registers)),
    FIELD("written", LIST, OF(.type = OPPROF_FACT_IS_FORM, .form = &registers)),
    FIELD("register_count", WHOLE, .least = 1, .most = 256),
    END,
};
static const OpprofFactField move_fields[] = { RULE, COUNT("bytes", REQUIRED), END };
static const OpprofFactField unit_fields[] = {
    FIELD("blocks", WHOLE, .least = 1, .most = 64),
    FIELD("block_bytes", WHOLE, .least = 1, .most = UINT32_MAX, .unit = "bytes"),
    FIELD("repeats", WHOLE, .least = 1, .most = UINT32_MAX),
    FIELD("bank_groups", WHOLE, .least = 1, .most = 256),
    END,
};
static const OpprofFactField destination_fields[] = {
    COUNT("address", REQUIRED),
    COUNT("stride", REQUIRED),
    END,
};
static const OpprofFactField source_fields[] = {
    NEEDS,
    COUNT("address", REQUIRED),
    COUNT("stride", REQUIRED),
    END,
};
static const OpprofFactField block_fields[] = {
    NEEDS,
    FIELD("destination", OBJECT, REQUIRED, .of = destination_fields),
    FIELD("sources", LIST, REQUIRED, .most = MOST_SOURCES,
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = source_fields)),
    END,
};
static const OpprofFactField vector_fields[] = {
    RULE,
    COUNT("repeats", ALSO),
    COUNT("element_bytes", ALSO),
    FIELD("blocks", OBJECT, .of = block_fields),
    END,
};
static const OpprofFactField state_fields[] = {
    RULE, COUNT("mask", ALSO), COUNT("half", ALSO), COUNT("counts_elements", ALSO), END,
};
static const OpprofFactField write_fields[] = {
    LIST_OF_TEXTS("names", REQUIRED),
    FIELD("places", LIST, REQUIRED, OF(.type = OPPROF_FACT_IS_WHOLE, .most = 31)),
    FIELD("following", WHOLE, .most = 31),
    END,
};
static const OpprofFactField dialect_fields[] = {
    FIELD("operands", OBJECT, .of = operand_fields),
    LIST_OF_OBJECTS("moves", move_fields, ALSO),
    FIELD("vector_unit", OBJECT, .of = unit_fields),
    LIST_OF_OBJECTS("vector", vector_fields, ALSO),
    LIST_OF_OBJECTS("state", state_fields, ALSO),
    LIST_OF_OBJECTS("writes", write_fields, ALSO),
    END,
};
static const OpprofFactField dialects[] = {
    FIELD("*", MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = dialect_fields)),
    END,
};
static const OpprofFactTable instructions = { .fields = dialects };

const OpprofChipTable choices_chip_tables[] = {
    { .path = "simulator", .table = &simulator },
    { .path = "pipes", .table = &pipes },
    { .path = "flags", .table = &flags },
    { .path = "warps", .table = &warps },
    { .path = "instructions", .table = &instructions },
    { .path = NULL },
};
