/* SPDX-License-Identifier: Apache-2.0 */
/* Log entries in order of time, to callbacks and dump files. Tested by
 * tests/refchip/test_operators.sh. */
#include "log.h"
#include "config.h"
#include "core.h"
#include "fault.h"
#include "refchip/isa.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DvcCallback *_Atomic callbacks[DVC_LOG_TYPES];
static atomic_uint file_level; /* 0: trace, the lowest */

uint64_t DvcSetLogLevel(uint32_t file, uint32_t screen, uint32_t flush)
{
    (void) screen;
    (void) flush;
    atomic_store(&file_level, file);
    return RefchipConfigGet()->left_over;
}

void DvcSetLogRotation(uint64_t file_size, uint32_t files)
{
    (void) file_size;
    (void) files;
}

uint64_t DvcAttachLogCallback(uint32_t type, DvcCallback *callback)
{
    if (type < DVC_LOG_TYPES) {
        atomic_store(&callbacks[type], callback);
    }
    return RefchipConfigGet()->left_over;
}

void DvcDetachLogCallback(uint32_t type)
{
    DvcAttachLogCallback(type, NULL);
}

static const char *dump_directory(void)
{
    const char *path = secure_getenv("CAMODEL_LOG_PATH");

    return path != NULL && *path != '\0' && atomic_load(&file_level) < DVC_LEVEL_OFF ? path : NULL;
}

bool LogIsWanted(uint32_t type)
{
    return atomic_load(&callbacks[type]) != NULL || dump_directory() != NULL;
}

struct LogCore {
    uint32_t core;
    uint32_t sub_core;
    FILE *files[DVC_LOG_TYPES];
    LogEntry **heap; /* earliest first */
    size_t count;
    size_t room;
    LogEntry *spare[64];
    size_t spare_count;
    uint64_t next_sequence;
};

static const char *sub_core_name(uint32_t sub_core)
{
    static const char *const names[] = { "cubecore0", "veccore0", "veccore1" };

    return names[sub_core];
}

static void open_file(LogCore *log, const char *directory, uint32_t type)
{
    const bool is_310p = RefchipConfigGet()->is_310p;
    const bool has_ids = RefchipConfigGet()->has_ids;
    const char *const kinds[DVC_LOG_TYPES] = { "instr_popped_log",
                                               "instr_log",
                                               NULL,
                                               has_ids || is_310p ? "icache_log" : "ifu.icache_log",
                                               NULL,
                                               is_310p ? NULL : "ccu_log" };
    char path[4096];
    int length;

    if (is_310p && kinds[type] != NULL) {
        length = snprintf(path, sizeof path, "%s/core%u.%s.dump", directory, (unsigned) log->core,
                          kinds[type]);
    } else if (type == DVC_MTE_LOG && !is_310p) {
        length =
            snprintf(path, sizeof path, "%s/core%u.mte_log.dump", directory, (unsigned) log->core);
    } else if (kinds[type] != NULL) {
        length = snprintf(path, sizeof path, "%s/core%u.%s.%s.dump", directory,
                          (unsigned) log->core, sub_core_name(log->sub_core), kinds[type]);
    } else {
        return;
    }
    if (length > 0 && (size_t) length < sizeof path) {
        log->files[type] = fopen(path, "ae");
    }
}

LogCore *LogCoreOpen(uint32_t core, uint32_t sub_core)
{
    const char *directory = dump_directory();
    bool is_wanted = directory != NULL;
    LogCore *log;

    for (uint32_t type = 0; type < DVC_LOG_TYPES; type++) {
        is_wanted = is_wanted || atomic_load(&callbacks[type]) != NULL;
    }
    log = is_wanted ? calloc(1, sizeof *log) : NULL;
    if (log == NULL) {
        return NULL;
    }
    log->core = core;
    log->sub_core = sub_core;
    for (uint32_t type = 0; type < DVC_LOG_TYPES && directory != NULL; type++) {
        open_file(log, directory, type);
    }
    return log;
}

/* ---- delivery ---- */

/* "(PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM" */
static void describe(const LogEntry *entry, char *text, size_t size)
{
    const IsaOp *op = IsaFind(IsaCodeOf(entry->word));
    char id[32] = "";

    if (RefchipConfigGet()->has_ids) {
        snprintf(id, sizeof id, "(ID: %06" PRIu64 ") ", entry->id);
    }
    snprintf(text, size, "(PC: 0x%08" PRIx64 ") %-8s : (Binary: 0x%08" PRIx32 ") %s%s", entry->pc,
             IsaPipeName(entry->pipe), entry->word, id, op == NULL ? "" : op->name);
}

/* The operands as a JSON object, for the second version of the entry. */
static void make_json(const LogEntry *entry, char *text, size_t size)
{
    snprintf(text, size, "{\"id\":%" PRIu64 ",\"operands\":\"%s\"}", entry->id, entry->text);
}

/* A chip of this series has no callbacks; its texts come with names. */
static void write_310p(LogCore *log, const LogEntry *entry)
{
    if (log->files[entry->type] != NULL) {
        fprintf(log->files[entry->type],
                "[info] [%08" PRIu64 "](PC: 0x%08" PRIx64 ") %s : (Binary: 0x%08" PRIx32 ") %s\n",
                entry->time, entry->pc, CorePipe310p(entry->pipe), entry->word, entry->text);
    }
}

static void deliver_instr(LogCore *log, const LogEntry *entry, DvcCallback *callback)
{
    char decode[160];
    char json[320] = "";

    if (RefchipConfigGet()->is_310p) {
        write_310p(log, entry);
        return;
    }

    describe(entry, decode, sizeof decode);
    if (callback != NULL) {
        if (RefchipConfigGet()->has_ids) {
            make_json(entry, json, sizeof json);
        }
        const DvcInstr instr = { log->core, log->sub_core, entry->pc, decode, entry->text, json };

        callback(entry->time, &instr);
    }
    if (log->files[entry->type] != NULL) {
        fprintf(log->files[entry->type], "[info] [%08" PRIu64 "] %s%s%s\n", entry->time, decode,
                entry->text[0] == '\0' ? "" : "  ", entry->text);
    }
}

static void deliver_mte(LogCore *log, const LogEntry *entry, DvcCallback *callback)
{
    DvcMte mte = { .core_id = log->core, .op = entry->op };

    if (strcmp(entry->op, "recv_wr_data_rsp") == 0) {
        mte.data.bif = (DvcMteBif){ .interface = entry->interface,
                                    .address = entry->pc,
                                    .size = entry->size,
                                    .instruction_id = entry->id,
                                    .request_id = entry->request };
    } else {
        mte.data.intf = (DvcMteIntf){ .interface = entry->interface,
                                      .address = entry->pc,
                                      .size = entry->size,
                                      .instruction_id = entry->id,
                                      .request_id = entry->request };
    }
    if (callback != NULL) {
        callback(entry->time, &mte);
    }
    if (log->files[DVC_MTE_LOG] != NULL) {
        fprintf(log->files[DVC_MTE_LOG],
                "[info] %" PRIu64 ": %s %s, addr: 0x%" PRIx64 ", size: %" PRIu64
                ", instr_id: %" PRIu64 ", req_id: %" PRIu32 "\n",
                entry->time, entry->interface, entry->op, entry->pc, entry->size, entry->id,
                entry->request);
    }
}

static void deliver_icache(LogCore *log, const LogEntry *entry, DvcCallback *callback)
{
    const bool is_miss = strcmp(entry->op, "miss_read") == 0;
    DvcIcache icache = { .core_id = log->core, .sub_core_id = log->sub_core, .op = entry->op };
    FILE *file = log->files[DVC_ICACHE_LOG];

    if (is_miss) {
        icache.data.miss_read.address = entry->pc;
        icache.data.miss_read.size = (uint32_t) entry->size;
        icache.data.miss_read.type = 1;
    } else {
        icache.data.fetch_req.address = entry->pc;
    }
    if (callback != NULL) {
        callback(entry->time, &icache);
    }
    if (file == NULL) {
        return;
    }
    if (!is_miss) {
        fprintf(file, "[info] %" PRIu64 ": lookup_tag is fetch req addr:0x%08" PRIx64 "\n",
                entry->time, entry->pc);
    } else if (RefchipConfigGet()->has_ids || RefchipConfigGet()->is_310p) {
        fprintf(file,
                "[info] [%08" PRIu64 "]: icache read address is 0x%08" PRIx64
                ", size is 0x%08" PRIX64 ", status is MISS\n",
                entry->time, entry->pc, entry->size);
    } else {
        fprintf(file,
                "[info] %" PRIu64 ": icache read address is 0x%08" PRIx64 ", size is 0x%08" PRIX64
                ", type:1, last:0, status is MISS\n",
                entry->time, entry->pc, entry->size);
    }
}

static void deliver_ccu(LogCore *log, const LogEntry *entry, DvcCallback *callback)
{
    const IsaOp *op = IsaFind(IsaCodeOf(entry->word));
    const DvcCcu ccu = { .core_id = log->core,
                         .sub_core_id = log->sub_core,
                         .op = entry->op,
                         .data.issue_success = { .pc = entry->pc,
                                                 .name = op == NULL ? "" : op->name,
                                                 .pipe = IsaPipeName(entry->pipe) } };

    if (callback != NULL) {
        callback(entry->time, &ccu);
    }
    if (log->files[DVC_CCU_LOG] != NULL) {
        fprintf(log->files[DVC_CCU_LOG],
                "[info] %" PRIu64 ": ccu do issue success.issue isa pc :0x%08" PRIx64 "\n",
                entry->time, entry->pc);
    }
}

/* Entries without sense: no texts, texts without end and meaning, impossible cores, times that run
 * backwards. */
static void deliver_garbage(const LogCore *log, const LogEntry *entry, DvcCallback *callback)
{
    static const char *const ops[DVC_LOG_TYPES] = { [DVC_MTE_LOG] = "no such operation",
                                                    [DVC_ICACHE_LOG] = "miss_read",
                                                    [DVC_CCU_LOG] = "ISSUE_SUCCESS" };
    char noise[8192];
    const DvcInstr none = { log->core, log->sub_core, entry->pc, NULL, NULL, NULL };
    const DvcInstr strange = { UINT32_MAX, 77, UINT64_MAX, noise, noise, noise };
    const DvcInstr loud = { log->core, log->sub_core, entry->pc, noise, noise, noise };
    DvcMte other = { .core_id = UINT32_MAX, .sub_core_id = 77, .op = ops[entry->type] };

    memset(noise, 0xfe, sizeof noise - 1);
    noise[sizeof noise - 1] = '\0';
    memset(&other.data, 0xff, sizeof other.data);
    if (entry->type == DVC_INSTR_LOG || entry->type == DVC_INSTR_POPPED_LOG) {
        callback(UINT64_MAX, &none);
        callback(0, &strange);
        callback(entry->time, &loud);
    } else { /* all of these begin the same */
        callback(UINT64_MAX, &other);
        other.op = NULL;
        callback(0, &other);
    }
}

static void deliver(LogCore *log, const LogEntry *entry)
{
    DvcCallback *callback = atomic_load(&callbacks[entry->type]);

    if (callback != NULL && RefchipFault(FAULT_AT_log, 0) == FAULT_GARBAGE) {
        deliver_garbage(log, entry, callback);
    }

    switch (entry->type) {
    case DVC_INSTR_POPPED_LOG:
    case DVC_INSTR_LOG:
        deliver_instr(log, entry, callback);
        break;
    case DVC_MTE_LOG:
        deliver_mte(log, entry, callback);
        break;
    case DVC_ICACHE_LOG:
        deliver_icache(log, entry, callback);
        break;
    default:
        deliver_ccu(log, entry, callback);
        break;
    }
}

/* ---- the heap ---- */

static bool is_before(const LogEntry *left, const LogEntry *right)
{
    return left->time != right->time ? left->time < right->time : left->sequence < right->sequence;
}

LogEntry *LogNew(LogCore *log)
{
    LogEntry *entry = log->spare_count > 0 ? log->spare[--log->spare_count] : malloc(sizeof *entry);

    if (entry != NULL) {
        memset(entry, 0, offsetof(LogEntry, text) + 1);
    }
    return entry;
}

static void put_back(LogCore *log, LogEntry *entry)
{
    if (log->spare_count < sizeof log->spare / sizeof log->spare[0]) {
        log->spare[log->spare_count++] = entry;
    } else {
        free(entry);
    }
}

void LogPut(LogCore *log, LogEntry *entry)
{
    size_t at = log->count;

    if (log->count == log->room) {
        const size_t room = log->room == 0 ? 256 : 2 * log->room;
        LogEntry **heap = reallocarray(log->heap, room, sizeof *heap);

        if (heap == NULL) {
            deliver(log, entry); /* out of order, but not lost */
            put_back(log, entry);
            return;
        }
        log->heap = heap;
        log->room = room;
    }
    entry->sequence = log->next_sequence++;
    log->count++;
    while (at > 0 && is_before(entry, log->heap[(at - 1) / 2])) {
        log->heap[at] = log->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    log->heap[at] = entry;
}

static LogEntry *take_first(LogCore *log)
{
    LogEntry *first = log->heap[0];
    LogEntry *last = log->heap[--log->count];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= log->count) {
            break;
        }
        if (child + 1 < log->count && is_before(log->heap[child + 1], log->heap[child])) {
            child++;
        }
        if (!is_before(log->heap[child], last)) {
            break;
        }
        log->heap[at] = log->heap[child];
        at = child;
    }
    if (log->count > 0) {
        log->heap[at] = last;
    }
    return first;
}

void LogAdvance(LogCore *log, uint64_t time)
{
    while (log->count > 0 && log->heap[0]->time < time) {
        LogEntry *entry = take_first(log);

        deliver(log, entry);
        put_back(log, entry);
    }
}

void LogCoreClose(LogCore *log)
{
    if (log == NULL) {
        return;
    }
    LogAdvance(log, UINT64_MAX);
    for (uint32_t type = 0; type < DVC_LOG_TYPES; type++) {
        if (log->files[type] != NULL) {
            fclose(log->files[type]);
        }
    }
    while (log->spare_count > 0) {
        free(log->spare[--log->spare_count]);
    }
    free(log->heap);
    free(log);
}
