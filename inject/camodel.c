/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log callbacks of the simulator, and the batches in which their entries go to the collector.
 * Tested by tests/inject/test_camodel.c and tests/refchip/test_injection.sh.
 */
#include "inject.h"
#include "refchip/chip/dvc.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_BYTES (64u << 10)
#define MOST_CORES 100u /* records of cores beyond share batches with others */
#define SUB_CORES 3u

/*
 * Records of one part of a core. They are matched by their place in its logs, and a simulator may call for one
 * core from several threads in turn, so they wait by core and not by thread.
 */
typedef struct LogBatch {
    pthread_mutex_t lock; /* guards what follows; callbacks and CamodelStop take it */
    size_t used;
    uint32_t count;
    uint8_t data[BATCH_BYTES];
} LogBatch;

/* Made when they are first needed, and then there for good. */
static LogBatch *_Atomic batches[MOST_CORES][SUB_CORES];

static atomic_uint current_operator;
static atomic_uint lost_records;
static atomic_uint attached;

/* ---- batches ---- */

static LogBatch *make_batch(LogBatch *_Atomic *place)
{
    LogBatch *batch = malloc(sizeof *batch);
    LogBatch *other = NULL;

    if (batch == NULL) {
        return NULL;
    }
    pthread_mutex_init(&batch->lock, NULL);
    batch->used = 0;
    batch->count = 0;
    if (atomic_compare_exchange_strong(place, &other, batch)) {
        return batch;
    }
    pthread_mutex_destroy(&batch->lock); /* another thread was faster */
    free(batch);
    return other;
}

static LogBatch *batch_of(const OpprofLiveRecord *record)
{
    LogBatch *_Atomic *place = &batches[record->core % MOST_CORES][record->sub_core];
    LogBatch *batch = atomic_load(place);

    return batch != NULL ? batch : make_batch(place);
}

/* With the batch's lock. */
static void send_batch(LogBatch *batch, uint32_t operator_id)
{
    const OpprofLiveLogs logs = { operator_id, batch->count };

    if (batch->count > 0 &&
        !LinkSend(OPPROF_LIVE_LOGS, &logs, sizeof logs, batch->data, batch->used)) {
        atomic_fetch_add(&lost_records, batch->count);
    }
    batch->used = 0;
    batch->count = 0;
}

static size_t length_of(const char *text)
{
    return text == NULL ? 0 : strnlen(text, OPPROF_LIVE_MOST_TEXT + 1);
}

/* The length to send; a longer text is cut, and that is counted. */
static uint16_t cut(size_t length)
{
    if (length > OPPROF_LIVE_MOST_TEXT) {
        atomic_fetch_add(&lost_records, 1);
        return OPPROF_LIVE_MOST_TEXT;
    }
    return (uint16_t) length;
}

static void append(LogBatch *batch, const OpprofLiveRecord *record, const char *first,
                   const char *second)
{
    const size_t size = OpprofLiveRecordBytes(record->first_length, record->second_length);
    uint8_t *at;

    if (size > BATCH_BYTES - batch->used) {
        send_batch(batch, atomic_load(&current_operator));
    }
    at = batch->data + batch->used;
    memset(at + size - 8, 0, 8);
    memcpy(at, record, sizeof *record);
    memcpy(at + sizeof *record, first == NULL ? "" : first, record->first_length);
    memcpy(at + sizeof *record + record->first_length, second == NULL ? "" : second,
           record->second_length);
    batch->used += size;
    batch->count++;
}

static void keep(OpprofLiveRecord *record, const char *first, const char *second)
{
    const int saved_errno = errno;
    LogBatch *batch;

    if (atomic_load(&current_operator) == 0) {
        return;
    }
    if (record->sub_core > 2) { /* no core has it: who knows what the rest means */
        atomic_fetch_add(&lost_records, 1);
        return;
    }
    record->first_length = cut(length_of(first));
    record->second_length = cut(length_of(second));
    batch = batch_of(record);
    if (batch == NULL) {
        atomic_fetch_add(&lost_records, 1);
    } else {
        pthread_mutex_lock(&batch->lock);
        append(batch, record, first, second);
        pthread_mutex_unlock(&batch->lock);
    }
    errno = saved_errno;
}

/* ---- callbacks ---- */

static void keep_instr(uint64_t time, const DvcInstr *instr, OpprofLiveLog type)
{
    OpprofLiveRecord record = {
        .time = time,
        .address = instr->pc,
        .core = instr->core_id,
        .type = (uint8_t) type,
        .sub_core =
            (uint8_t) (instr->sub_core_id > 2 || instr->decode == NULL ? 3 : instr->sub_core_id)
    };

    keep(&record, instr->decode, instr->execute);
}

static void on_popped(uint64_t time, const void *entry)
{
    keep_instr(time, entry, OPPROF_LIVE_POPPED);
}

static void on_instr(uint64_t time, const void *entry)
{
    keep_instr(time, entry, OPPROF_LIVE_INSTR);
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

static void on_mte(uint64_t time, const void *entry)
{
    static const char *const bif[] = { "send_cmd", "recv_data", "recv_cmd_rsp", "recv_wr_data_rsp",
                                       NULL };
    static const char *const intf[] = { "recv_rsp", "send_req", "send_data", NULL };
    const DvcMte *mte = entry;
    OpprofLiveRecord record = { .time = time, .core = mte->core_id, .type = OPPROF_LIVE_MTE };
    const char *interface;

    if (is_one_of(mte->op, bif)) {
        record.address = mte->data.bif.address;
        record.size = mte->data.bif.size;
        record.id = mte->data.bif.instruction_id;
        record.request = mte->data.bif.request_id;
        interface = mte->data.bif.interface;
    } else if (is_one_of(mte->op, intf)) {
        record.address = mte->data.intf.address;
        record.size = mte->data.intf.size;
        record.id = mte->data.intf.instruction_id;
        record.request = mte->data.intf.request_id;
        interface = mte->data.intf.interface;
    } else {
        return;
    }
    keep(&record, interface, mte->op);
}

static void on_icache(uint64_t time, const void *entry)
{
    const DvcIcache *icache = entry;
    OpprofLiveRecord record = { .time = time,
                                .core = icache->core_id,
                                .sub_core =
                                    (uint8_t) (icache->sub_core_id > 2 ? 3 : icache->sub_core_id) };

    if (icache->op == NULL) {
        return;
    }
    if (strcmp(icache->op, "miss_read") == 0) {
        record.type = OPPROF_LIVE_MISS;
        record.address = icache->data.miss_read.address;
        record.size = icache->data.miss_read.size;
        record.request = icache->data.miss_read.type;
        record.is_last = icache->data.miss_read.is_last;
    } else if (strcmp(icache->op, "fetch_req") == 0 &&
               (atomic_load(&attached) & OPPROF_LIVE_WANT_OVERHEAD) != 0) {
        record.type = OPPROF_LIVE_FETCH;
        record.address = icache->data.fetch_req.address;
    } else {
        return;
    }
    keep(&record, NULL, NULL);
}

static void on_ccu(uint64_t time, const void *entry)
{
    const DvcCcu *ccu = entry;
    OpprofLiveRecord record = { .time = time,
                                .core = ccu->core_id,
                                .type = OPPROF_LIVE_ISSUE,
                                .sub_core =
                                    (uint8_t) (ccu->sub_core_id > 2 ? 3 : ccu->sub_core_id) };

    if (ccu->op == NULL || strcmp(ccu->op, "ISSUE_SUCCESS") != 0) {
        return;
    }
    record.address = ccu->data.issue_success.pc;
    keep(&record, NULL, NULL);
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

    if (call == NULL) {
        return;
    }
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

uint32_t CamodelStop(uint32_t operator_id)
{
    Detach *detach = (Detach *) OriginalFind("DvcDetachLogCallback");

    for (uint32_t type = 0; type < DVC_LOG_TYPES && detach != NULL; type++) {
        detach(type);
    }
    atomic_store(&current_operator, 0);
    for (uint32_t i = 0; i < MOST_CORES * SUB_CORES; i++) {
        LogBatch *batch = atomic_load(&batches[i / SUB_CORES][i % SUB_CORES]);

        if (batch != NULL) {
            pthread_mutex_lock(&batch->lock);
            send_batch(batch, operator_id);
            pthread_mutex_unlock(&batch->lock);
        }
    }
    return atomic_load(&lost_records);
}

/* The parent's batches stay where they are: it is not known what state they are in. */
void CamodelForget(void)
{
    for (uint32_t i = 0; i < MOST_CORES * SUB_CORES; i++) {
        atomic_store(&batches[i / SUB_CORES][i % SUB_CORES], NULL);
    }
    atomic_store(&current_operator, 0);
}
