/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules whose start-up code does not come back, whose code at the end crashes or hangs, or whose
 * process ends the program: the makefile chooses which. The create and configure of all of them do
 * as the environment says.
 */
#include <opprof/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(FIXTURE_END)
__attribute__((destructor)) static void tidy_up(void)
{
    volatile int *volatile nowhere = NULL;

    if (getenv("CRASH_AT_END") != NULL) { /* else a list of all modules would end like that */
        *nowhere = 1;
    }
    if (getenv("HANG_AT_END") != NULL) {
        (void) !write(STDERR_FILENO, "hangs\n", 6);
        for (;;) {
            pause();
        }
    }
}
#elif !defined(FIXTURE_LEAVE)
__attribute__((constructor)) static void start_up(void)
{
#if defined(FIXTURE_CRASH)
    raise(SIGSEGV);
#elif defined(FIXTURE_EXIT)
    exit(0);
#elif defined(FIXTURE_LINKER)
    _exit(127);
#else
    for (;;) {
        pause();
    }
#endif
}
#endif

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    exit(0);
}

static const OpprofField fields[] = { { .name = "nothing", .kind = OPPROF_FIELD_U64 } };
static const OpprofRecordType type = { .struct_size = sizeof(OpprofRecordType),
                                       .name = "t.nothing",
                                       .version = 1,
                                       .size = 8,
                                       .fields = fields,
                                       .field_count = 1 };
static const OpprofPort outputs[] = {
    { .name = "out", .record_type = &type, .summary = "Nothing." }
};

static OpprofStatus misbehave(const char *call)
{
    const char *what = getenv("BREAK");

    if (what != NULL && strcmp(what, call) == 0) {
        for (;;) {
            pause();
        }
    }
    return what != NULL && strcmp(what, "contract") == 0 ? OPPROF_END : OPPROF_OK;
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    (void) stage;
    (void) ret_self;
    (void) error;
    return misbehave("create");
}

static OpprofStatus configure(void *self, const OpprofParams *params, OpprofError **error)
{
    (void) self;
    (void) params;
    (void) error;
    return misbehave("configure");
}

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .configure = configure,
                                     .process = process };

OPPROF_PLUGIN_DEFINE(.name = FIXTURE_NAME, .version = "1", .license = "Apache-2.0",
                     .summary = "Ends the program.", .kind = OPPROF_COLLECTOR, .outputs = outputs,
                     .output_count = 1, .ops = &ops);
