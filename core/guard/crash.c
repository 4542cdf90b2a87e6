/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says which plugin crashed, and lets the process end by the signal.
 * Tested by tests/core/run/test_runner.
 */
#include "guard/crash.h"

#include "plugin/loader.h"
#include "run/pipeline.h"

#include <opprof/text.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define CRASH_STACK_SIZE (64u << 10)
#define SENTENCE_SIZE 512

static EarlyRecord *_Atomic record_in_hand;

void CrashSetRecord(EarlyRecord *record)
{
    atomic_store(&record_in_hand, record);
}

static void put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));

    (void) written; /* nothing else can be done about a dying program's message */
}

/* A path comes from outside: what a terminal would obey becomes '?'. */
static void put_path(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        bool plain;
        const size_t taken = OpprofTextNext(text, left, &plain);
        ssize_t written = write(STDERR_FILENO, plain ? text : "?", plain ? taken : 1);

        (void) written;
        text += taken;
        left -= taken;
    }
}

static const char *signal_name(int number)
{
    static const char *const names[] = {
        [SIGSEGV] = "SIGSEGV (bad memory access)",
        [SIGBUS] = "SIGBUS (bad memory access)",
        [SIGFPE] = "SIGFPE (bad arithmetic)",
        [SIGILL] = "SIGILL (bad instruction)",
        [SIGTRAP] = "SIGTRAP (trap instruction)",
        [SIGSYS] = "SIGSYS (bad system call)",
        [SIGABRT] = "SIGABRT (abort)",
    };

    return names[number];
}

/* Appends what fits, to a buffer that always ends with a NUL. */
static void add(char *sentence, size_t size, const char *text)
{
    const size_t used = strlen(sentence);
    const size_t length = strlen(text);

    if (length < size - used) {
        memcpy(sentence + used, text, length + 1);
    }
}

/* Ids and names of plugins have neither quotes nor control characters. */
static void name_stage(char *sentence, size_t size, const OpprofStage *stage, const char *what)
{
    const char *call = StageCallName(stage);

    add(sentence, size, "stage '");
    add(sentence, size, stage->node->id);
    add(sentence, size, "' (plugin ");
    add(sentence, size, stage->node->plugin->name);
    add(sentence, size, ") ");
    add(sentence, size, what);
    add(sentence, size, call[0] != '\0' ? " in " : "");
    add(sentence, size, call);
}

static void write_record(const OpprofStage *stage, char *sentence)
{
    const EarlyRecord *record =
        stage != NULL ? stage->node->run->pipeline->early : atomic_load(&record_in_hand);

    sentence[0] = sentence[0] == 's' ? 'S' : sentence[0];
    EarlyRecordWriteCrashed(record, sentence);
}

/* NULL: unknown on this machine. */
static void *crash_address(const void *context)
{
#if defined(__x86_64__)
    return (void *) ((const ucontext_t *) context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *) ((const ucontext_t *) context)->uc_mcontext.pc;
#else
    (void) context;
    return NULL;
#endif
}

/* The shared object whose code crashed; NULL: unknown, or the program itself. Safe in a signal
 * handler, unlike dladdr. */
static const char *object_at(void *address)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 */
    struct dl_find_object found;

    if (address != NULL && _dl_find_object(address, &found) == 0 && found.dlfo_link_map != NULL &&
        found.dlfo_link_map->l_name != NULL && found.dlfo_link_map->l_name[0] != '\0') {
        return found.dlfo_link_map->l_name;
    }
#endif
    (void) address;
    return NULL;
}

/* Outside any call of a plugin, as in the code that a module runs when the program ends. */
static void put_place(void *address)
{
    const char *object = object_at(address);

    if (object != NULL) {
        put("\n  in the code of: ");
        put_path(object);
    }
    if (LoaderLatest() != NULL) {
        put("\n  last module loaded: ");
        put_path(LoaderLatest());
    }
    put("\n");
}

/* SA_RESETHAND has put the default action back: raising the signal again ends the process by it. */
static void on_crash(int number, siginfo_t *about, void *context)
{
    const OpprofStage *stage = StageCurrent();
    char sentence[SENTENCE_SIZE] = "";

    (void) about;
    if (stage != NULL) {
        name_stage(sentence, sizeof sentence, stage, "crashed");
        add(sentence, sizeof sentence, ": ");
        add(sentence, sizeof sentence, signal_name(number));
        put("opprof: ");
        put(sentence);
        if (stage->node->plugin_path != NULL) {
            put("\n  module: ");
            put_path(stage->node->plugin_path);
        }
        put("\n  hint: leave the stage out, or report it to the plugin's author\n");
    } else if (LoaderCurrent() != NULL) {
        put("opprof: crashed while it loaded the module '");
        put_path(LoaderCurrent());
        put("': ");
        put(signal_name(number));
        put("\n  hint: the module is damaged or its start-up code is at fault: build or copy it "
            "again\n");
    } else {
        put("opprof: crashed: ");
        put(signal_name(number));
        put_place(crash_address(context));
    }
    add(sentence, sizeof sentence, stage != NULL ? "" : "The program crashed: ");
    add(sentence, sizeof sentence, stage != NULL ? "" : signal_name(number));
    write_record(stage, sentence);
    raise(number);
}

/*
 * A plugin has left its call without returning: nothing of the run is finished, so that must not
 * look like success, nor wait for what never comes.
 */
static void end_for_plugin(const OpprofStage *stage, const char *how)
{
    char sentence[SENTENCE_SIZE] = "";

    name_stage(sentence, sizeof sentence, stage, how);
    put("opprof: ");
    put(sentence);
    write_record(stage, sentence);
    put("\n  hint: a plugin returns a failure instead; leave the stage out, or report it to the "
        "plugin's author\n");
    _exit(EXIT_FAILURE);
}

/* Exit handlers run on the thread that ends the program; without a plugin on it, the program ends
 * as it should. */
static void on_exit_call(void)
{
    if (StageCurrent() != NULL) {
        end_for_plugin(StageCurrent(), "ended the program with exit()");
    }
    if (LoaderCurrent() != NULL) {
        put("opprof: the start-up code of the module '");
        put_path(LoaderCurrent());
        put("' ended the program with exit()\n");
        _exit(EXIT_FAILURE);
    }
}

/* Each thread of the run sets a value for this key, so that the destructor is called when the
 * thread ends. */
static pthread_key_t thread_key;
static bool has_thread_key; /* [main], before there are threads */

static void on_thread_end(void *value)
{
    (void) value;
    if (StageCurrent() != NULL) {
        end_for_plugin(StageCurrent(), "ended its thread with pthread_exit()");
    }
}

/* The crash may be that of the stack itself. Threads of the run have a stack for it as well; see
 * CrashThreadInit. */
static void prepare_stack(void)
{
    static char room[CRASH_STACK_SIZE]; /* [main] */
    const stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
    stack_t current;

    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        sigaltstack(&stack, NULL);
    }
}

void OpprofPipelineReportCrashes(void)
{
    static bool is_registered; /* [main] */
    static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
    struct sigaction action = { .sa_sigaction = on_crash,
                                .sa_flags =
                                    SA_SIGINFO | SA_ONSTACK | (int) SA_RESETHAND | SA_NODEFER };

    prepare_stack();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaction(numbers[i], &action, NULL);
    }
    is_registered = is_registered || atexit(on_exit_call) == 0;
    has_thread_key = has_thread_key || pthread_key_create(&thread_key, on_thread_end) == 0;
}

void *CrashThreadInit(void)
{
    stack_t stack = { .ss_sp = malloc(CRASH_STACK_SIZE), .ss_size = CRASH_STACK_SIZE };

    if (has_thread_key) {
        pthread_setspecific(thread_key, &thread_key);
    }
    if (stack.ss_sp != NULL && sigaltstack(&stack, NULL) != 0) {
        free(stack.ss_sp);
        return NULL;
    }
    return stack.ss_sp;
}

void CrashThreadFinish(void *stack)
{
    const stack_t none = { .ss_flags = SS_DISABLE };

    if (stack != NULL) {
        sigaltstack(&none, NULL);
        free(stack);
    }
}
