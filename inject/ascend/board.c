/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch that is profiled on a device: its memory is saved, it is made as often as the plan says,
 * with other counters each time and the memory put back before, and once more as the program meant
 * it. One at a time: the caller holds the lock of launches. Tested by tests/refchip/test_board.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/mc2.h"
#include "inject/ascend/range.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_BYTES 5424u /* of profSetProfCommand */
#define WARM_UP_BYTES (1u << 20)
#define PLAIN_TIMES 20u /* a wait is for this many times a plain launch, at least */
#define MEMORY_DEVICE 4u
#define MEMORY_SHARED 2u
#define MEMORY_LOCKED_HOST 8u

typedef struct Run {
    uint32_t operator_id;
    uint32_t device; /* the driver's number */
    uint32_t warm_ups;
    uint32_t pass; /* next, or running */
    uint32_t passes;
    bool is_warming; /* what is made now is not a pass */
    bool has_copies;
    bool is_instrumented; /* now */
    bool has_failed;      /* no more passes */
    uint64_t began;
    bool is_graph;   /* its arguments are the runtime's */
    bool is_several; /* kernels, each with its share of the passes */
    bool is_joint;
    bool is_collective;   /* and without a kernel of the AI CPU or a barrier */
    uint32_t joint_runs;  /* times that both of its kernels were made */
    bool has_joint_end;   /* … and that one of them succeeded */
    AbiError joint_error; /* of the last that did not */
    PlanPass now;         /* the pass with the channels for this operator */
    Channels *channels;   /* of the pass; NULL: none are open */
    Monitors *monitors;
    Snapshot snapshot;
    void *clear[2];
    LaunchKernel kernel;
    OpprofLiveOutcome outcome;
} Run;

static Plan *plan; /* NULL: none */
static bool has_asked;
/* Ranks have one each; NULL: the thread profiled nothing. */
static _Thread_local Run *run __attribute__((tls_model("initial-exec")));
static volatile sig_atomic_t was_interrupted;
static struct sigaction action_before;
static bool has_action;

/* ---- the plan ---- */

static void ask_plan(void)
{
    OpprofLiveAskPlan question = { 0, UINT32_MAX };
    __typeof__(&halGetAPIVersion) api_version = DRIVER(halGetAPIVersion);
    __typeof__(&halGetDeviceInfo) info = DRIVER(halGetDeviceInfo);
    int64_t version = 0;
    uint8_t *bytes = NULL;
    size_t size = 0;

    if (api_version == NULL || api_version(&question.api_version) != 0) {
        question.api_version = 0;
    }
    if (info != NULL && info(0, HAL_MODULE_SYSTEM, HAL_INFO_VERSION, &version) == 0) {
        question.chip = (uint32_t) (version >> 8) & 0xff;
    }
    plan = calloc(1, sizeof *plan);
    if (plan == NULL || !LinkAskBytes(OPPROF_LIVE_ASK_PLAN, &question, sizeof question,
                                      OPPROF_LIVE_PLAN, &bytes, &size)) {
        free(plan);
        plan = NULL;
        return;
    }
    if (!PlanRead(plan, bytes, size)) {
        Note(0, OPPROF_LIVE_INCOMPLETE, "the plan cannot be read: the process runs unprofiled");
        free(bytes);
        free(plan);
        plan = NULL;
        return;
    }
    if (plan->head.pass_count > 0) {
        MissingReport();
    }
}

bool BoardIsReady(void)
{
    if (!has_asked) {
        has_asked = true;
        ask_plan();
    }
    return plan != NULL && plan->head.pass_count > 0;
}

static void forget(void)
{
    plan = NULL; /* the parent's; another one is asked for */
    has_asked = false;
    run = CallRoomIfThere(CALL_BOARD);
    if (run != NULL) {
        *run = (Run){ .operator_id = 0 };
    }
    has_action = false;
}
ON_FORK(forget)

bool BoardHasRanges(void)
{
    return plan != NULL && plan->head.replay == OPPROF_LIVE_REPLAY_RANGE;
}

bool BoardIsApplication(void)
{
    return plan != NULL && plan->head.replay == OPPROF_LIVE_REPLAY_APPLICATION;
}

/* ---- what can be repeated ---- */

/* An argument that points to memory which is unknown or another device's, and so could not be put
 * back; 0: none does. */
static uint64_t find_stranger(const uint8_t *args, size_t size)
{
    __typeof__(&drvMemGetAttribute) get = DRIVER(drvMemGetAttribute);

    for (size_t at = 0; get != NULL && at + 8 <= size; at += 8) {
        DVattribute attribute = { .memType = 0 };
        uint64_t value;

        memcpy(&value, args + at, 8);
        if (value >= 4096 && MemoryDevice(value) != *CallDevice() &&
            get((void *) (uintptr_t) value, &attribute) == 0 &&
            (attribute.memType == MEMORY_DEVICE || attribute.memType == MEMORY_SHARED ||
             attribute.memType == MEMORY_LOCKED_HOST)) {
            return value;
        }
    }
    return 0;
}

bool BoardKnowsMemory(const Launch *launch)
{
    const size_t size = launch->args_size < 65536 ? launch->args_size : 65536;
    uint8_t *copy = size == 0 ? NULL : malloc(size);
    uint64_t stranger = 0;

    if (launch->args != NULL && copy != NULL) {
        if (!launch->has_device_args) {
            memcpy(copy, launch->args, size);
            stranger = find_stranger(copy, size);
        } else if (DeviceCopy(copy, launch->args, size, COPY_TO_HOST)) {
            stranger = find_stranger(copy, size);
        }
    }
    free(copy);
    if (stranger != 0 && MemoryDevice(stranger) >= 0) {
        Note(launch->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator runs unprofiled: it uses memory of device %d at 0x%llx, which is not "
             "restored with that of its own device",
             (int) MemoryDevice(stranger), (unsigned long long) stranger);
    } else if (stranger != 0) {
        Note(launch->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator runs unprofiled: it uses memory at 0x%llx, which is shared or of an "
             "unknown allocation, so it could not be restored",
             (unsigned long long) stranger);
    }
    return stranger == 0;
}

/* ---- getting ready ---- */

static uint32_t deadline(void)
{
    const uint64_t plain = run == NULL ? 0 : run->outcome.plain_ns * PLAIN_TIMES / 1000000;

    return plain > plan->head.deadline_ms && plain < INT32_MAX ? (uint32_t) plain
                                                               : plan->head.deadline_ms;
}

uint32_t BoardDeadline(void)
{
    return deadline();
}

static void send_command(void)
{
    typedef int32_t SetCommand(void *command, uint32_t size);
    SetCommand *call = (SetCommand *) DriverFind("profSetProfCommand");
    uint8_t command[COMMAND_BYTES] = { 0 };
    const uint32_t devices = 1, start = 1;

    if (plan->head.command == 0 || call == NULL) {
        return; /* it announces profiling to layers above; channels work without */
    }
    memcpy(command, &plan->head.command, 8);
    memcpy(command + 16, &devices, 4);
    memcpy(command + 20, &run->device, 4);
    memcpy(command + 280, &start, 4);
    call(command, COMMAND_BYTES);
}

static void note_interrupt(int number)
{
    (void) number;
    was_interrupted = 1;
}

/* An interrupt that would end the program first ends the passes, so that memory and results are
 * whole. */
static void catch_interrupt(void)
{
    struct sigaction action = { .sa_handler = note_interrupt };

    was_interrupted = 0;
    sigemptyset(&action.sa_mask);
    has_action = sigaction(SIGINT, NULL, &action_before) == 0 &&
                 action_before.sa_handler == SIG_DFL && sigaction(SIGINT, &action, NULL) == 0;
}

static void release_interrupt(void)
{
    if (has_action) {
        sigaction(SIGINT, &action_before, NULL);
        has_action = false;
        if (was_interrupted) {
            raise(SIGINT);
        }
    }
}

static void allocate_clear(void)
{
    if (plan->head.clear_bytes == 0 || plan->head.replay == OPPROF_LIVE_REPLAY_APPLICATION) {
        return;
    }
    run->clear[0] = DeviceAllocate(plan->head.clear_bytes);
    run->clear[1] = run->clear[0] == NULL ? NULL : DeviceAllocate(plan->head.clear_bytes);
    if (run->clear[1] == NULL) {
        Note(run->operator_id, OPPROF_LIVE_WARNING,
             "The L2 cache is not cleared between passes: the device has not enough free memory");
    }
}

static bool save(void)
{
    const char *why = "";

    if (plan->head.replay == OPPROF_LIVE_REPLAY_APPLICATION) {
        return true;
    }
    run->has_copies = MemorySave(*CallDevice(), &run->snapshot, &why);
    if (!run->has_copies) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE, "The operator runs unprofiled: %s", why);
    }
    return run->has_copies;
}

bool BoardBegin(Launch *launch, const LaunchKernel *kernel)
{
    AbiError error;

    run = CallRoom(CALL_BOARD, sizeof *run);
    if (run == NULL) {
        Note(launch->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator runs unprofiled: out of memory");
        return false;
    }
    *run = (Run){ .operator_id = launch->operator_id, .device = DriverDevice(*CallDevice()) };
    run->outcome.operator_id = launch->operator_id;
    run->kernel.image = kernel->image;
    memcpy(run->kernel.name, kernel->name, strlen(kernel->name) + 1);
    run->is_graph = launch->graph != NULL;
    run->is_several = launch->ids != NULL;
    run->is_joint = launch->is_joint;
    run->is_collective = launch->is_collective;
    run->outcome.flags = launch->is_collective ? OPPROF_LIVE_OUTCOME_COLLECTIVE
                         : launch->is_joint    ? OPPROF_LIVE_OUTCOME_JOINT
                                               : 0;
    error = DeviceWaitAll(launch->stream, deadline());
    if (error == ACL_ERROR_TIMEOUT) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator runs unprofiled: earlier work of the device does not end within %u ms",
             (unsigned) deadline());
        return false;
    }
    if (error != 0) {
        launch->earlier_error = error;
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator runs unprofiled: earlier work of the device failed with %d",
             (int) error);
        return false;
    }
    if (!run->is_joint && (!BoardKnowsMemory(launch) || !save())) {
        return false;
    }
    if (run->is_joint) { /* other devices have written to its memory: nothing can be put back */
        send_command();
        return true;
    }
    allocate_clear();
    send_command();
    catch_interrupt();
    return true;
}

/* ---- the times ---- */

static void restore(void)
{
    if (run->has_copies && !MemoryRestore(&run->snapshot)) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "Memory could not be restored: the program's results may be wrong");
        run->has_failed = true;
    }
}

static void warm_up_by_copies(void)
{
    void *memory = DeviceAllocate(2 * WARM_UP_BYTES);

    for (uint32_t i = 0; memory != NULL && i < plan->head.warm_up; i++) {
        DeviceCopy(memory, (uint8_t *) memory + WARM_UP_BYTES, WARM_UP_BYTES, COPY_DEVICE);
    }
    if (memory != NULL) {
        DeviceFree(memory);
    }
}

/* Channels that a pass reads for this operator. */
static void choose_channels(const PlanPass *pass)
{
    run->now = *pass;
    run->now.count = 0;
    for (uint32_t i = 0; i < pass->count; i++) {
        PlanChannel channel = pass->channels[i];

        if ((run->is_joint && !run->is_collective) ||
            (channel.head.kind & OPPROF_LIVE_CHANNEL_JOINT) == 0) {
            channel.head.kind &= ~OPPROF_LIVE_CHANNEL_JOINT;
            run->now.channels[run->now.count++] = channel;
        }
    }
}

/* Open what a pass reads. False: nothing of it is open. */
static bool open_pass(const Launch *launch, const PlanPass *pass)
{
    if (pass->has_area) {
        run->is_instrumented = InstrumentStart(launch, &run->kernel, &pass->area, run->pass);
        if (pass->count == 0 ||
            (!run->is_instrumented && pass->area.kind != OPPROF_LIVE_INSTRUMENT_START)) {
            return run->is_instrumented;
        }
    }
    if (pass->count > 0 || !pass->has_monitors) {
        run->channels = ChannelsStart(pass, run->pass, run->device, run->operator_id);
    }
    if (pass->has_monitors) {
        run->monitors = MonitorsStart(pass, run->pass, run->device, run->operator_id);
    }
    if (run->channels == NULL && run->is_instrumented) { /* it would give nothing */
        InstrumentStop(false);
        run->is_instrumented = false;
    }
    return run->channels != NULL || run->monitors != NULL;
}

/* Close it and send the rest. False: something is missing. */
static bool close_pass(bool has_ended)
{
    const bool was_instrumented = !run->is_instrumented || InstrumentStop(has_ended);
    const bool had_channels = run->channels == NULL || ChannelsStop(run->channels, deadline());
    const bool had_monitors = run->monitors == NULL || MonitorsStop(run->monitors);

    run->channels = NULL;
    run->monitors = NULL;
    run->is_instrumented = false;
    return was_instrumented && had_channels && had_monitors;
}

static bool has_traces(const PlanPass *pass)
{
    for (uint32_t i = 0; i < pass->count; i++) {
        if ((pass->channels[i].head.kind & OPPROF_LIVE_CHANNEL_SPARSE) != 0) {
            return true;
        }
    }
    return pass->has_monitors;
}

/* Operators that communicate are not instrumented: other devices wait for them. Of several kernels
 * in one launch only records of tasks say which one they are of. */
static bool is_for(const PlanPass *pass)
{
    if (run->is_several && has_traces(pass)) {
        return false;
    }
    return !(run->is_joint || run->is_graph) || !pass->has_area;
}

/* The next pass that can be read. */
static bool start_pass(const Launch *launch)
{
    while (!run->has_failed && !was_interrupted && run->pass < plan->head.pass_count) {
        restore();
        if (run->clear[1] !=
            NULL) { /* after the memory was put back, which passes through the cache */
            DeviceCopy(run->clear[1], run->clear[0], plan->head.clear_bytes, COPY_DEVICE);
        }
        choose_channels(&plan->passes[run->pass]);
        if (!run->has_failed && is_for(&run->now) && open_pass(launch, &run->now)) {
            return true;
        }
        run->pass++;
    }
    return false;
}

/* All ranks come together, and the kernel of the AI CPU begins. */
static bool begin_joint(const Launch *launch)
{
    const char *lack = OriginalFind("HcclBarrier") == NULL
                           ? "libhccl.so has no HcclBarrier"
                           : "The communicator of the operator is not known";
    const bool has_barrier = Mc2Barrier(*CallDevice(), launch->stream);
    const AbiError error = has_barrier ? DeviceWait(launch->stream, deadline()) : 0;

    if (has_barrier && error == 0 && Mc2Launch() == 0) {
        run->joint_runs++;
        return true;
    }
    if (error == ACL_ERROR_TIMEOUT) { /* otherwise the program would wait for a rank that is gone */
        DeviceAbort(launch->stream);
        DeviceWait(launch->stream, deadline());
    }
    if (has_barrier) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "Not all ranks came to the barrier before pass %u; no more passes are made",
             (unsigned) run->pass + 1);
    } else {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "%s: pass %u and those after it are not made", lack, (unsigned) run->pass + 1);
    }
    run->has_failed = true;
    close_pass(false);
    return false;
}

/* The launches before the first pass; of an operator that communicates one. */
static uint32_t warm_ups(void)
{
    if (run->is_collective) {
        return 0;
    }
    return run->is_joint && plan->head.warm_up > 1 ? 1 : plan->head.warm_up;
}

static bool next(Launch *launch)
{
    const bool is_application = plan->head.replay == OPPROF_LIVE_REPLAY_APPLICATION;

    if (run->has_failed || was_interrupted) {
        return false;
    }
    if (is_application && run->pass == 0) {
        warm_up_by_copies();
    }
    run->is_warming = !is_application && run->warm_ups < warm_ups();
    run->began = Now();
    if (run->is_warming) {
        return true;
    }
    /* Then the pass is the launch that the program wanted. */
    launch->is_suppressed = start_pass(launch) && is_application;
    launch->is_replaced = run->is_instrumented;
    return run->channels != NULL || run->monitors != NULL || run->is_instrumented;
}

bool BoardNext(Launch *launch)
{
    if (!next(launch)) {
        return false;
    }
    if (run->is_joint && !run->is_collective && !begin_joint(launch)) {
        launch->is_suppressed = false; /* there is no pass in the place of the program's launch */
        return false;
    }
    return true;
}

static void abort_stream(AbiStream stream)
{
    DeviceAbort(stream);
    DeviceWait(stream, deadline());
}

/* Wait for what was made; it ends, fails, or is ended. */
static bool wait_for(const Launch *launch, AbiError error)
{
    if (error == 0) {
        error = DeviceWait(launch->stream, deadline());
    }
    if (error == ACL_ERROR_TIMEOUT) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator does not end within %u ms; it is aborted, and no more passes are made",
             (unsigned) deadline());
        abort_stream(launch->stream);
    } else if (error != 0) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "The operator failed with %d when it was repeated; no more passes are made",
             (int) error);
        /* If it was the wait that failed, it still runs, and would write over what is put back. */
        if (DeviceWait(launch->stream, deadline()) == ACL_ERROR_TIMEOUT) {
            abort_stream(launch->stream);
        }
    }
    run->joint_error = error != 0 ? error : run->joint_error;
    return error == 0;
}

static void note_frequencies(void)
{
    run->outcome.current_mhz = DriverCurrentFrequency(run->device);
    run->outcome.rated_mhz = DriverRatedFrequency(run->device);
}

void BoardDone(Launch *launch, AbiError error)
{
    bool has_ended = wait_for(launch, error);

    run->joint_runs += run->is_collective;
    if (run->is_joint && !run->is_collective) {
        const Launch other = { .stream = Mc2Stream() };
        has_ended = wait_for(&other, 0) && has_ended;
    }

    run->has_joint_end = run->has_joint_end || (run->is_joint && has_ended);
    run->has_failed = run->has_failed || !has_ended;
    if (run->is_warming) {
        if (run->warm_ups++ == 0) {
            run->outcome.plain_ns = Now() - run->began;
        }
        return;
    }
    if (run->pass + 1 >= plan->head.pass_count || run->outcome.rated_mhz == 0) {
        note_frequencies();
    }
    launch->is_replaced = false;
    if (close_pass(has_ended) && has_ended) {
        run->passes++;
    }
    run->pass++;
    if (plan->head.replay == OPPROF_LIVE_REPLAY_APPLICATION) {
        run->has_failed = true; /* there is no second one */
    }
}

static void put_back(void)
{
    if (!run->has_copies) {
        return;
    }
    restore();
    if (!MemoryVerify() && !(MemoryRestore(&run->snapshot) && MemoryVerify())) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE,
             "Memory differs from before the operator was repeated: the program's results may "
             "be wrong");
    }
    MemoryForgetCopies();
    run->has_copies = false;
}

void BoardEnd(Launch *launch)
{
    if (run->is_joint && run->joint_runs > 0) {
        launch->is_suppressed = true; /* the passes have made it, and made it again */
        launch->earlier_error = run->has_joint_end ? 0 : run->joint_error; /* … or have not */
    }
    if (run->is_joint && !run->is_collective && run->joint_runs > 0) {
        Mc2Drop();
    } else if (run->is_joint && !run->is_collective) {
        Mc2Flush();
    }
    put_back();
    for (unsigned i = 0; i < 2; i++) {
        if (run->clear[i] != NULL) {
            DeviceFree(run->clear[i]);
        }
    }
    if (was_interrupted && run->pass < plan->head.pass_count) {
        Note(run->operator_id, OPPROF_LIVE_INCOMPLETE, "Interrupted after %u of %u passes",
             (unsigned) run->pass, (unsigned) plan->head.pass_count);
    }
    run->outcome.passes = run->passes;
    run->outcome.saved_bytes = run->snapshot.bytes;
    run->outcome.save_ns = run->snapshot.save_ns;
    run->outcome.restored_bytes = run->snapshot.restored;
    run->outcome.restore_ns = run->snapshot.restore_ns;
    LinkSend(OPPROF_LIVE_OUTCOME, &run->outcome, sizeof run->outcome, NULL, 0);
}

void BoardRelease(void)
{
    release_interrupt();
}
