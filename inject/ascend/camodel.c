/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log callbacks of the simulator, and the batches in which their entries go to the collector.
 * Tested by tests/inject/ascend/test_camodel.c and tests/refchip/test_injection.sh.
 */
#include "inject/ascend/ascend.h"
#include "inject/ascend/log_record.h"
#include "refchip/chip/dvc.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CORES 100u   /* the collector keeps nothing of those beyond */
#define MOST_STRING 4095u /* bytes of a string of an entry; longer ones are cut */
#define SUB_CORES 3u
#define SUB_CORE_UNKNOWN 3u /* no core has it, so the rest of the entry cannot be trusted */
#define BATCHES (MOST_CORES * SUB_CORES * OPPROF_LIVE_LOGS_OF_CORE)
#define BATCH_BYTES (32u << 10)

/*
 * Records of one log of a core. They are matched by their place in it, and a simulator may call for
 * one core from several threads in turn, so they wait by log and not by thread.
 */
typedef struct LogBatch {
    pthread_mutex_t lock; /* guards what follows; callbacks and CamodelStop take it */
    OpprofLiveLogs logs;  /* whose records wait */
    size_t used;
    uint8_t data[BATCH_BYTES];
    uint8_t content[sizeof(OpprofLiveAccess) + OPPROF_LIVE_MOST_TEXT + OPPROF_LIVE_PIECE];
    OpprofLiveMemory memory; /* of the operator */
} LogBatch;

/* Records of a batch. */
typedef struct LogEntry {
    OpprofLiveRecord record; /* time, kind and is_last */
    OpprofLiveAccess access;
    uint32_t core;
    uint8_t log;
    uint8_t sub_core;
    const char *first; /* NULL: none */
    const char *gap;   /* between the two */
    const char *second;
} LogEntry;

/* Made when they are first needed, and never freed. */
static LogBatch *_Atomic batches[BATCHES];

static atomic_uint current_operator;
static atomic_uint lost_records;
static atomic_uint attached;
static bool is_lasting; /* attached, and cannot be detached; guarded by the lock of launches */

/* ---- batches ---- */

static LogBatch *make_batch(LogBatch *_Atomic *place, const LogEntry *entry)
{
    LogBatch *batch = calloc(1, sizeof *batch);
    LogBatch *other = NULL;

    if (batch == NULL) {
        return NULL;
    }
    pthread_mutex_init(&batch->lock, NULL);
    batch->logs.core = entry->core;
    batch->logs.log = entry->log;
    batch->logs.sub_core = entry->sub_core;
    if (atomic_compare_exchange_strong(place, &other, batch)) {
        return batch;
    }
    pthread_mutex_destroy(&batch->lock); /* another thread was faster */
    free(batch);
    return other;
}

/* NULL without memory, or for a core that no chip has. */
static LogBatch *batch_of(const LogEntry *entry)
{
    LogBatch *_Atomic *place;
    LogBatch *batch;

    if (entry->core >= MOST_CORES || entry->sub_core >= SUB_CORES) {
        return NULL;
    }
    place = &batches[(entry->core * SUB_CORES + entry->sub_core) * OPPROF_LIVE_LOGS_OF_CORE +
                     entry->log];
    batch = atomic_load(place);
    return batch != NULL ? batch : make_batch(place, entry);
}

/* With the batch's lock. */
static void send_batch(LogBatch *batch)
{
    if (batch->logs.count > 0 &&
        !LinkSend(OPPROF_LIVE_LOGS, &batch->logs, sizeof batch->logs, batch->data, batch->used)) {
        atomic_fetch_add(&lost_records, batch->logs.count);
    }
    batch->used = 0;
    batch->logs.count = 0;
}

/* A longer string is cut, and that is counted. */
static uint8_t *put_string(uint8_t *at, const char *text)
{
    const size_t length = text == NULL ? 0 : strnlen(text, MOST_STRING + 1);

    if (length > MOST_STRING) {
        atomic_fetch_add(&lost_records, 1);
        memcpy(at, text, MOST_STRING);
        return at + MOST_STRING;
    }
    memcpy(at, length == 0 ? "" : text, length);
    return at + length;
}

/* The record's content with its blanks. Returns its length without them. */
static uint16_t put_content(uint8_t *content, const LogEntry *entry)
{
    const size_t access = OpprofLiveAccessBytes(entry->record.kind);
    uint8_t *at = content + access;

    memcpy(content, &entry->access, access);
    at = put_string(at, entry->first);
    if (entry->second != NULL && *entry->second != '\0') {
        at = put_string(put_string(at, entry->gap), entry->second);
    }
    memset(at, ' ', OPPROF_LIVE_PIECE);
    return (uint16_t) (at - content);
}

/* The slot of similar content before: an instruction has nearly the same text every time. */
static uint32_t slot_of(const LogEntry *entry, size_t length)
{
    const uint64_t place =
        entry->log == OPPROF_LIVE_LOG_TRANSFER ? length : entry->access.address / 4;

    return (uint32_t) (place % OPPROF_LIVE_SLOTS);
}

/* With the batch's lock. */
static void append(LogBatch *batch, const LogEntry *entry, uint32_t operator_id)
{
    OpprofLiveRecord record = entry->record;

    if (batch->logs.operator_id != operator_id) {
        send_batch(batch);
        batch->logs.operator_id = operator_id;
        memset(batch->memory.known, 0, sizeof batch->memory.known);
    }
    record.length = put_content(batch->content, entry);
    if (LogRecordRoom(record.length) > BATCH_BYTES - batch->used) {
        send_batch(batch);
    }
    batch->used += LogRecordPut(&batch->memory, record, slot_of(entry, record.length),
                                batch->content, batch->data + batch->used);
    batch->logs.count++;
}

static void keep(const LogEntry *entry)
{
    const int saved_errno = errno;
    const uint32_t operator_id = atomic_load(&current_operator);
    LogBatch *batch;

    if (operator_id == 0) {
        return;
    }
    batch = batch_of(entry);
    if (batch == NULL) {
        atomic_fetch_add(&lost_records, 1);
    } else {
        pthread_mutex_lock(&batch->lock);
        append(batch, entry, operator_id);
        pthread_mutex_unlock(&batch->lock);
    }
    errno = saved_errno;
}

/* ---- callbacks ---- */

static uint8_t sub_core_of(uint32_t number)
{
    return (uint8_t) (number < SUB_CORES ? number : SUB_CORE_UNKNOWN);
}

static void keep_instr(uint64_t time, const DvcInstr *instr, uint8_t log)
{
    const LogEntry entry = { .record = { .time = time, .kind = OPPROF_LIVE_INSTRUCTION },
                             .access = { .address = instr->pc },
                             .core = instr->core_id,
                             .log = log,
                             .sub_core = instr->decode == NULL ? SUB_CORE_UNKNOWN
                                                               : sub_core_of(instr->sub_core_id),
                             .first = instr->decode,
                             .gap = "  ",
                             .second = instr->execute };

    keep(&entry);
}

static void on_popped(uint64_t time, const void *entry)
{
    keep_instr(time, entry, OPPROF_LIVE_LOG_START);
}

static void on_instr(uint64_t time, const void *entry)
{
    keep_instr(time, entry, OPPROF_LIVE_LOG_END);
}

static bool is_one_of(const char *op, const char *const *names)
{
    for (; op != NULL && *names != NULL; names++) {
        if (strcmp(op, *names) == 0) {
            return true;
        }
    }
    return false;
}

static void on_mte(uint64_t time, const void *called)
{
    static const char *const bif[] = { "send_cmd", "recv_data", "recv_cmd_rsp", "recv_wr_data_rsp",
                                       NULL };
    static const char *const intf[] = { "recv_rsp", "send_req", "send_data", NULL };
    const DvcMte *mte = called;
    LogEntry entry = { .record = { .time = time, .kind = OPPROF_LIVE_TRANSFER },
                       .core = mte->core_id,
                       .log = OPPROF_LIVE_LOG_TRANSFER,
                       .gap = " ",
                       .second = mte->op };

    if (is_one_of(mte->op, bif)) {
        entry.access.address = mte->data.bif.address;
        entry.access.size = mte->data.bif.size;
        entry.access.id = mte->data.bif.instruction_id;
        entry.access.request = mte->data.bif.request_id;
        entry.first = mte->data.bif.interface;
    } else if (is_one_of(mte->op, intf)) {
        entry.access.address = mte->data.intf.address;
        entry.access.size = mte->data.intf.size;
        entry.access.id = mte->data.intf.instruction_id;
        entry.access.request = mte->data.intf.request_id;
        entry.first = mte->data.intf.interface;
    } else {
        return;
    }
    keep(&entry);
}

static void on_icache(uint64_t time, const void *called)
{
    const DvcIcache *icache = called;
    LogEntry entry = { .record = { .time = time },
                       .core = icache->core_id,
                       .log = OPPROF_LIVE_LOG_FETCH,
                       .sub_core = sub_core_of(icache->sub_core_id) };

    if (icache->op == NULL) {
        return;
    }
    if (strcmp(icache->op, "miss_read") == 0) {
        entry.record.kind = OPPROF_LIVE_MISS;
        entry.record.is_last = icache->data.miss_read.is_last;
        entry.access.address = icache->data.miss_read.address;
        entry.access.size = icache->data.miss_read.size;
        entry.access.request = icache->data.miss_read.type;
    } else if (strcmp(icache->op, "fetch_req") == 0 &&
               (atomic_load(&attached) & OPPROF_LIVE_WANT_OVERHEAD) != 0) {
        entry.record.kind = OPPROF_LIVE_FETCH;
        entry.access.address = icache->data.fetch_req.address;
    } else {
        return;
    }
    keep(&entry);
}

static void on_ccu(uint64_t time, const void *called)
{
    const DvcCcu *ccu = called;
    LogEntry entry = { .record = { .time = time, .kind = OPPROF_LIVE_ISSUE },
                       .core = ccu->core_id,
                       .log = OPPROF_LIVE_LOG_ISSUE,
                       .sub_core = sub_core_of(ccu->sub_core_id) };

    if (ccu->op == NULL || strcmp(ccu->op, "ISSUE_SUCCESS") != 0) {
        return;
    }
    entry.access.address = ccu->data.issue_success.pc;
    keep(&entry);
}

/* ---- attaching ---- */

typedef void Attach(uint32_t type, DvcCallback *callback);
typedef void Detach(uint32_t type);
typedef void SetLevel(uint32_t file, uint32_t screen, uint32_t flush);

bool CamodelHasLogs(void)
{
    return OriginalFind("DvcAttachLogCallback") != NULL && OriginalFind("DvcSetLogLevel") != NULL;
}

bool CamodelCanDetach(void)
{
    return OriginalFind("DvcDetachLogCallback") != NULL;
}

static void attach(Attach *call, uint32_t type, DvcCallback *callback)
{
    /* Some headers say that this returns int, and some that it does not: nothing is read. */
    call(type, callback);
}

void CamodelQuiet(void)
{
    SetLevel *set_level = (SetLevel *) OriginalFind("DvcSetLogLevel");

    if (set_level != NULL) {
        set_level(6, 4, 2); /* no dump files, errors on the screen */
    }
}

void CamodelAttach(uint32_t want)
{
    Attach *call = (Attach *) OriginalFind("DvcAttachLogCallback");

    if (call == NULL || is_lasting) {
        return;
    }
    is_lasting = !CamodelCanDetach();
    atomic_store(&attached, want);
    attach(call, DVC_INSTR_POPPED_LOG, on_popped);
    attach(call, DVC_INSTR_LOG, on_instr);
    attach(call, DVC_ICACHE_LOG, on_icache);
    if ((want & OPPROF_LIVE_WANT_MTE) != 0) {
        attach(call, DVC_MTE_LOG, on_mte);
    }
    if ((want & OPPROF_LIVE_WANT_OVERHEAD) != 0) {
        attach(call, DVC_CCU_LOG, on_ccu);
    }
}

void CamodelStart(uint32_t operator_id)
{
    atomic_store(&lost_records, 0);
    atomic_store(&current_operator, operator_id);
}

uint32_t CamodelStop(void)
{
    Detach *detach = (Detach *) OriginalFind("DvcDetachLogCallback");

    for (uint32_t type = 0; type < DVC_LOG_TYPES && detach != NULL; type++) {
        detach(type);
    }
    atomic_store(&current_operator, 0);
    for (uint32_t i = 0; i < BATCHES; i++) {
        LogBatch *batch = atomic_load(&batches[i]);

        if (batch != NULL) {
            pthread_mutex_lock(&batch->lock);
            send_batch(batch);
            batch->logs.operator_id = 0;
            pthread_mutex_unlock(&batch->lock);
        }
    }
    return atomic_load(&lost_records);
}

/* The parent's batches stay where they are: their state is unknown. */
static void forget(void)
{
    is_lasting = false;
    for (uint32_t i = 0; i < BATCHES; i++) {
        atomic_store(&batches[i], NULL);
    }
    atomic_store(&current_operator, 0);
}
ON_FORK(forget)
