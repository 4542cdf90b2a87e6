/* SPDX-License-Identifier: Apache-2.0 */
/* Modules for the loader's tests. The makefile's macros say which of them this becomes. */
#include <math.h>
#include <opprof/plugin.h>

#ifndef FIXTURE_SYMBOL
#define FIXTURE_SYMBOL opprof_plugin_v0
#endif
#ifndef FIXTURE_MINOR
#define FIXTURE_MINOR OPPROF_ABI_MINOR
#endif
#ifndef FIXTURE_MAJOR
#define FIXTURE_MAJOR OPPROF_ABI_MAJOR
#endif
#ifndef FIXTURE_SIZE
#define FIXTURE_SIZE sizeof(OpprofPlugin)
#endif

#if defined(FIXTURE_FUNCTION)

OPPROF_EXPORT void opprof_plugin_v0(void);
void opprof_plugin_v0(void)
{
}

#elif defined(FIXTURE_TINY)

extern OPPROF_EXPORT const uint32_t opprof_plugin_v0;
const uint32_t opprof_plugin_v0 = sizeof(OpprofPlugin);

#elif defined(FIXTURE_SHORT)

/* the right size is said, but not there */
extern OPPROF_EXPORT const uint32_t opprof_plugin_v0[4];
const uint32_t opprof_plugin_v0[4] = { sizeof(OpprofPlugin),
                                       OPPROF_ABI_MAJOR | OPPROF_ABI_MINOR << 16, 0, 0 };

#else

extern int opprof_no_such_data;
extern int opprof_no_such_function(void);

static double total;

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) error;
    /* a call that makes the module need a library, with sanitizers too */
    total += cbrt(batch->count);
#ifdef FIXTURE_CALL
    return opprof_no_such_function() == 0 ? OPPROF_OK : OPPROF_E_DATA;
#elif defined(FIXTURE_READ)
    return opprof_no_such_data == 0 ? OPPROF_OK : OPPROF_E_DATA;
#else
    return OPPROF_OK;
#endif
}

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps), .process = process };

#ifdef FIXTURE_LOOP
/* takes what it gives, so that two of it can be linked in a circle */
typedef struct Loop {
    uint64_t number;
} Loop;
static const OpprofField loop_fields[] = {
    OPPROF_FIELD(Loop, number, OPPROF_FIELD_U64, .meaning = "A number."),
};
static const OpprofRecordType loop_type = { .struct_size = sizeof loop_type,
                                            .version = 1,
                                            .name = "test.loop",
                                            .size = sizeof(Loop),
                                            .fields = loop_fields,
                                            .field_count = 1 };
static const OpprofPort inputs[] = {
    { .name = "in", .type = "test.loop", .summary = "Numbers." },
};
static const OpprofPort outputs[] = {
    { .name = "out", .record_type = &loop_type, .summary = "Numbers." },
};
#define FIXTURE_NAME "loop"
#define FIXTURE_KIND OPPROF_ANALYSIS, .outputs = outputs, .output_count = OPPROF_COUNT(outputs)
#else
static const OpprofPort inputs[] = {
    { .name = "tables", .type = OPPROF_ANY_TABLE, .flags = OPPROF_PORT_MANY, .summary = "Tables." },
};
#define FIXTURE_NAME "good"
#define FIXTURE_KIND OPPROF_EXPORTER
#endif

extern OPPROF_EXPORT const OpprofPlugin FIXTURE_SYMBOL;
const OpprofPlugin FIXTURE_SYMBOL = {
    .struct_size = FIXTURE_SIZE,
    .abi_major = FIXTURE_MAJOR,
    .abi_minor = FIXTURE_MINOR,
    .name = FIXTURE_NAME,
    .version = "1.2.3",
    .license = "Apache-2.0",
    .summary = "Does nothing, well.",
    .kind = FIXTURE_KIND,
    .inputs = inputs,
    .input_count = OPPROF_COUNT(inputs),
    .ops = &ops,
};

#endif
