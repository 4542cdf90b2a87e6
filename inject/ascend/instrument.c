/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pass in which an instrumented kernel runs in a kernel's place. The collector has the kernel
 * instrumented; here it is registered, launched with one argument more, the address of a record
 * area, and what it has written there is sent. Tested by tests/refchip/test_instrument.sh.
 */
#include "inject/ascend/board.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES (512u << 10)
#define MOST_KERNEL_BYTES (UINT64_C(1) << 32)

/* An instrumented kernel that the runtime knows. Never given back: it may be launched again. */
typedef struct Made {
    uint64_t image_id; /* of the kernel as it was */
    uint32_t magic;    /* of its binary */
    char *name;
    uint32_t pass;
    uint32_t argument;
    int32_t device;
    bool is_acl;
    uint64_t slot_bytes;
    uint8_t *data; /* its ELF file */
    size_t size;
    void *handle;
    void *function; /* of aclrt*; the lower layer has this entry's address as stub */
    struct Made *next;
} Made;

/* The pass under way. */
typedef struct Session {
    const OpprofLiveArea *area;
    uint32_t operator_id;
    uint32_t number; /* of the pass */
    Made *made;
    Arguments arguments;
    uint8_t *memory; /* of the device */
    uint32_t slots;
} Session;

static Made *all_made; /* guarded by the lock of launches, which those that are instrumented hold */
static Session session;

/* ---- the kernel ---- */

/* `*ret_bytes` gets the piece, to be freed; NULL: not wanted. */
static bool ask(const OpprofLiveAskInstrumented *question, OpprofLiveInstrumented *answer,
                uint8_t **ret_bytes, size_t *ret_size)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool is_good;

    is_good = LinkAskBytes(OPPROF_LIVE_ASK_INSTRUMENTED, question, sizeof *question,
                           OPPROF_LIVE_INSTRUMENTED, &bytes, &size) &&
              size >= sizeof *answer;
    if (is_good) {
        memcpy(answer, bytes, sizeof *answer);
    }
    if (is_good && ret_bytes != NULL) {
        *ret_size = size - sizeof *answer;
        memmove(bytes, bytes + sizeof *answer, *ret_size);
        *ret_bytes = bytes;
    } else {
        free(bytes);
    }
    return is_good;
}

static bool take_piece(Made *made, const OpprofLiveInstrumented *answer, uint64_t offset,
                       const uint8_t *bytes, size_t size)
{
    if (offset == 0 && answer->size > 0 && answer->size <= MOST_KERNEL_BYTES) {
        made->data = malloc(answer->size);
        made->size = answer->size;
        made->slot_bytes = answer->slot_bytes;
    }
    if (made->data == NULL || size == 0 || answer->size != made->size ||
        size > made->size - offset) {
        return false;
    }
    memcpy(made->data + offset, bytes, size);
    return true;
}

static bool ask_piece(const OpprofLiveAskInstrumented *question, Made *made)
{
    OpprofLiveInstrumented answer;
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool is_good;

    is_good = ask(question, &answer, &bytes, &size) &&
              take_piece(made, &answer, question->offset, bytes, size);
    free(bytes);
    return is_good;
}

/* All of it. */
static bool ask_kernel(Made *made)
{
    OpprofLiveAskInstrumented question = { .operator_id = session.operator_id,
                                           .pass = made->pass,
                                           .argument = made->argument };

    do {
        if (!ask_piece(&question, made)) {
            return false;
        }
        question.offset += OPPROF_LIVE_PIECE_BYTES;
    } while (question.offset < made->size);
    return made->slot_bytes > 0 && made->slot_bytes <= OPPROF_LIVE_MOST_SLOT_BYTES;
}

static bool register_kernel(Made *made)
{
    const rtDevBinary_t binary = { .magic = made->magic, .data = made->data, .length = made->size };
    AbiError error;

    if (made->is_acl) {
        error = ORIGINAL(aclrtBinaryLoadFromDataImpl) == NULL ||
                        ORIGINAL(aclrtBinaryGetFunctionImpl) == NULL ||
                        ORIGINAL(aclrtLaunchKernelWithHostArgsImpl) == NULL
                    ? ACL_ERROR_INTERNAL
                    : ORIGINAL(aclrtBinaryLoadFromDataImpl)(made->data, made->size, NULL,
                                                            &made->handle);
        return error == 0 &&
               ORIGINAL(aclrtBinaryGetFunctionImpl)(made->handle, made->name, &made->function) == 0;
    }
    error = ORIGINAL(rtDevBinaryRegister) == NULL || ORIGINAL(rtFunctionRegister) == NULL ||
                    ORIGINAL(rtKernelLaunchWithFlagV2) == NULL
                ? RT_ERROR_RESERVED
                : ORIGINAL(rtDevBinaryRegister)(&binary, &made->handle);
    return error == 0 && ORIGINAL(rtFunctionRegister)(made->handle, made, made->name, NULL, 0) == 0;
}

static void free_made(Made *made)
{
    free(made->name);
    free(made->data);
    free(made);
}

/* A program used to name the tool: it may still do so, and wonder. */
static void mention_tool(void)
{
    static atomic_bool is_said;
    const char *tool = secure_getenv(OPPROF_LIVE_INSTRUMENTER);
    const OpprofLiveWelcome *welcome;

    if (tool != NULL && tool[0] != '\0' && LinkOpen(NULL, false, &welcome) &&
        (welcome->flags & OPPROF_LIVE_HAS_TOOL) == 0 && !atomic_exchange(&is_said, true)) {
        Note(session.operator_id, OPPROF_LIVE_WARNING,
             "The program names a tool that instruments kernels, which opprof-run does not run for "
             "it. Say --set instrumenter=%s",
             tool);
    }
}

static Made *make(const Made *wanted)
{
    Made *made = malloc(sizeof *made);

    if (made == NULL) {
        return NULL;
    }
    *made = *wanted;
    made->name = strdup(wanted->name);
    if (made->name == NULL || !ask_kernel(made)) { /* the collector says why */
        mention_tool();
        free_made(made);
        return NULL;
    }
    if (!register_kernel(made)) {
        Note(session.operator_id, OPPROF_LIVE_INCOMPLETE,
             "The runtime refuses the instrumented kernel: pass %u is left out",
             (unsigned) session.number + 1);
        free_made(made);
        return NULL;
    }
    made->next = all_made;
    all_made = made;
    return made;
}

/* The collector learns that this launch has it, too. */
static Made *recall(Made *made)
{
    const OpprofLiveAskInstrumented question = { .operator_id = session.operator_id,
                                                 .pass = session.number,
                                                 .argument = made->argument,
                                                 .has_kernel = 1 };
    OpprofLiveInstrumented answer;

    return ask(&question, &answer, NULL, NULL) && answer.size > 0 ? made : NULL;
}

static Made *find_or_make(const Made *wanted)
{
    Made *made = all_made;

    while (made != NULL &&
           (made->image_id != wanted->image_id || made->pass != wanted->pass ||
            made->argument != wanted->argument || made->device != wanted->device ||
            made->is_acl != wanted->is_acl || strcmp(made->name, wanted->name) != 0)) {
        made = made->next;
    }
    return made != NULL ? recall(made) : make(wanted);
}

/* ---- the area ---- */

static uint64_t stride(void)
{
    return session.made->slot_bytes + session.area->gap;
}

static bool put_zeros(uint8_t *memory, uint64_t size)
{
    static const uint8_t zeros[65536];
    bool is_good = true;

    for (uint64_t at = 0; at < size && is_good; at += sizeof zeros) {
        const uint64_t left = size - at;

        is_good = DeviceCopy(memory + at, zeros, left < sizeof zeros ? left : sizeof zeros,
                             COPY_TO_DEVICE);
    }
    return is_good;
}

/* Of slots with headers these alone are zeroed: they say how much of the rest was written. */
static bool clear_area(void)
{
    const uint64_t header = session.area->header_bytes;
    bool is_good = true;

    if (header == 0) {
        return put_zeros(session.memory, session.slots * stride());
    }
    for (uint32_t i = 0; i < session.slots && is_good; i++) {
        is_good = put_zeros(session.memory + i * stride(), header);
    }
    return is_good;
}

static bool make_area(uint32_t blocks)
{
    const uint64_t slots = (uint64_t) blocks * session.area->slots_per_block;

    session.slots = slots < session.area->most_slots ? (uint32_t) slots : session.area->most_slots;
    session.memory = DeviceAllocate(session.slots * stride());
    if (session.memory == NULL) {
        Note(session.operator_id, OPPROF_LIVE_INCOMPLETE,
             "The instrumented kernel of pass %u is not run: the device has no %llu MiB free for "
             "its record area",
             (unsigned) session.number + 1, (unsigned long long) (session.slots * stride() >> 20));
        return false;
    }
    if (!clear_area()) {
        Note(session.operator_id, OPPROF_LIVE_INCOMPLETE,
             "The instrumented kernel of pass %u is not run: its record area cannot be cleared",
             (unsigned) session.number + 1);
        return false;
    }
    return ArgumentsInsert(&session.arguments, (uint64_t) (uintptr_t) session.memory);
}

static void finish(void)
{
    if (session.memory != NULL) {
        DeviceFree(session.memory);
    }
    ArgumentsFinish(&session.arguments);
    session = (Session){ .made = NULL };
}

/* Samples are of addresses, so the collector needs to know where the kernel lies. */
static void send_address(void)
{
    OpprofLiveLoaded loaded = { .operator_id = session.operator_id, .pass = session.number };
    void *cube = NULL, *vector = NULL;

    if (session.area->kind == OPPROF_LIVE_INSTRUMENT_START && session.made->is_acl &&
        ORIGINAL(aclrtGetFunctionAddrImpl) != NULL &&
        ORIGINAL(aclrtGetFunctionAddrImpl)(session.made->function, &cube, &vector) == 0) {
        loaded.start_pc = (uint64_t) (uintptr_t) (cube != NULL ? cube : vector);
        LinkSend(OPPROF_LIVE_LOADED, &loaded, sizeof loaded, NULL, 0);
    }
}

bool InstrumentStart(const Launch *launch, const LaunchKernel *kernel, const OpprofLiveArea *area,
                     uint32_t number)
{
    const char *why = "its kernel is not known";
    Made wanted = { .name = (char *) (uintptr_t) kernel->name,
                    .pass = number,
                    .device = *CallDevice(),
                    .is_acl = launch->is_acl,
                    .slot_bytes = area->slot_bytes };

    session = (Session){ .area = area, .operator_id = launch->operator_id, .number = number };
    if (kernel->image == NULL || !ArgumentsTake(&session.arguments, launch, &why)) {
        Note(launch->operator_id, OPPROF_LIVE_INCOMPLETE, "The operator is not instrumented: %s",
             why);
        finish();
        return false;
    }
    wanted.image_id = kernel->image->id;
    wanted.magic = kernel->image->magic;
    wanted.is_acl = wanted.is_acl || wanted.magic == 0; /* as it was loaded */
    wanted.argument = ArgumentsPlace(&session.arguments);
    session.made = find_or_make(&wanted);
    if (session.made == NULL || !make_area(launch->blocks)) {
        finish();
        return false;
    }
    send_address();
    return true;
}

AbiError InstrumentLaunch(const Launch *launch)
{
    const Made *made = session.made;
    Launch own = *launch;

    own.function = made->is_acl ? made->function : made;
    own.handle = NULL;
    own.is_acl = made->is_acl;
    own.is_by_function = false;
    return ArgumentsLaunch(&session.arguments, &own);
}

/* ---- what it has recorded ---- */

static bool is_zero(const uint8_t *bytes, uint64_t size)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Bytes of the area from a place on, in pieces. Most of an area that is taken as a whole is zeros,
 * which are left out. */
static bool send_bytes(uint32_t slot, const uint8_t *memory, uint64_t from, uint64_t size,
                       uint8_t *staging)
{
    const bool is_whole = session.area->header_bytes == 0;
    bool is_good = true;

    for (uint64_t at = 0; at < size && is_good; at += PIECE_BYTES) {
        const OpprofLiveSlot head = { session.operator_id, (uint16_t) session.number,
                                      (uint16_t) slot, from + at };
        const uint64_t left = size - at;
        const uint64_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;

        is_good = DeviceCopy(staging, memory + from + at, piece, COPY_TO_HOST) &&
                  ((is_whole && piece < left && is_zero(staging, piece)) ||
                   LinkSend(OPPROF_LIVE_SLOT, &head, sizeof head, staging, piece));
    }
    return is_good;
}

/* The header, and as much after it as it says. */
static bool send_slot(uint32_t slot, uint8_t *staging)
{
    const uint8_t *memory = session.memory + slot * stride();
    const uint64_t header = session.area->header_bytes;
    const uint64_t room = session.made->slot_bytes - header;
    uint64_t length;

    if (!DeviceCopy(staging, memory, header, COPY_TO_HOST)) {
        return false;
    }
    memcpy(&length, staging + session.area->length_at, 8);
    if (length == 0) {
        return true;
    }
    length = length > room ? room : length; /* with bit 63 the slot is full */
    return send_bytes(slot, memory, 0, header, staging) &&
           send_bytes(slot, memory, header, length, staging);
}

static bool send_area(void)
{
    uint8_t *staging = malloc(PIECE_BYTES);
    bool is_good = staging != NULL;

    if (is_good && session.area->header_bytes == 0) {
        is_good = send_bytes(0, session.memory, 0, session.slots * stride(), staging);
    }
    for (uint32_t i = 0; i < session.slots && is_good && session.area->header_bytes > 0; i++) {
        is_good = send_slot(i, staging);
    }
    free(staging);
    return is_good;
}

bool InstrumentStop(bool has_ended)
{
    const bool is_good = has_ended && send_area();

    if (has_ended && !is_good) {
        Note(session.operator_id, OPPROF_LIVE_INCOMPLETE,
             "The records of the instrumented kernel of pass %u cannot be read",
             (unsigned) session.number + 1);
    }
    finish();
    return is_good;
}

static void forget(void)
{
    all_made = NULL; /* the runtime of a new child does not know them */
    session = (Session){ .made = NULL };
}
ON_FORK(forget)
