/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-sim against the speed of looking at the bytes: `wc -l`'s inner loop, read() and memchr(),
 * on the same files in the same run. Files come from the generator and are in the page cache.
 */
#include "bench/bench.h"
#include "plugins/collect-sim/lines/charset.h"
#include "plugins/collect-sim/read/log.h"
#include "plugins/collect-sim/lines/names.h"
#include "plugins/collect-sim/pairing/pairing.h"
#include "tests/plugins/collect-sim/forms.h"
#include "tests/tools/dump.h"
#include <fcntl.h>
#include <opprof/batch.h>
#include <opprof/records/sim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES UINT64_C(1000000)
#define READ_BYTES ((size_t) 256 << 10)
#define BATCH_RECORDS 1489u /* as many as fill 128 KiB */

typedef struct Dump {
    char directory[64];
    bool by_id;
    uint32_t cores; /* to be read, from core0.veccore0 on */
} Dump;

/* ---- wc -l ---- */

static bool count_newlines(const char *path, char *buffer, double *lines)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = -1;

    if (file < 0) {
        return false;
    }
    while ((got = read(file, buffer, READ_BYTES)) > 0) {
        const char *at = buffer;
        const char *end = buffer + got;

        while ((at = memchr(at, '\n', (size_t) (end - at))) != NULL) {
            (*lines)++;
            at++;
        }
    }
    close(file);
    return got == 0;
}

static void log_path(const Dump *dump, uint32_t core, const char *kind, char *path, size_t room)
{
    snprintf(path, room, "%s/core0.veccore%u.%s_log.dump", dump->directory, core, kind);
}

static bool run_wc(const Dump *dump, bool with_instr, BenchSample *sample)
{
    char *buffer = malloc(READ_BYTES);
    bool is_good = buffer != NULL;
    char path[256];

    for (uint32_t core = 0; core < dump->cores && is_good; core++) {
        log_path(dump, core, "instr_popped", path, sizeof path);
        is_good = count_newlines(path, buffer, &sample->amount);
        if (with_instr && is_good) {
            log_path(dump, core, "instr", path, sizeof path);
            is_good = count_newlines(path, buffer, &sample->amount);
        }
    }
    free(buffer);
    return is_good;
}

static bool wc_popped(void *context, BenchSample *sample)
{
    return run_wc(context, false, sample);
}

static bool wc_both(void *context, BenchSample *sample)
{
    return run_wc(context, true, sample);
}

/* ---- lines to records ---- */

static uint32_t intern(void *context, const char *text, size_t length)
{
    (void) context;
    (void) text;
    return (uint32_t) length + 1;
}

/* A batch that is full is begun anew, as a pool would give it. */
static bool make_room(OpprofBatch *batch)
{
    if (batch->count == batch->capacity) {
        BenchKeep(batch->records);
        BenchKeep(batch->blob);
        batch->count = 0;
        batch->blob_size = 0;
    }
    return true;
}

static bool put_record(OpprofBatch *batch, Names *names, const SimLine *line, uint64_t sequence)
{
    const NamesEntry *entry = NamesLookUp(names, line);
    char *text;
    OpprofSimInstruction *record;

    if (!make_room(batch) || entry == NULL) {
        return false;
    }
    text = OpprofBatchReserveText(batch, (size_t) line->detail_length + 64);
    record = OpprofBatchAppend(batch);
    if (text == NULL || record == NULL) {
        return false;
    }
    *record = (OpprofSimInstruction){ .pc = line->pc,
                                      .id = line->id,
                                      .start = line->tick,
                                      .end = line->tick,
                                      .pipe = SimMarkFactsHasRegister(camodel_marks(), line)
                                                  ? 1
                                                  : entry->pipe,
                                      .name = entry->name,
                                      .sequence = sequence };
    record->detail = OpprofBatchCommitText(
        batch,
        (size_t) (CharsetCopyWithoutBlanks(text, line->detail, line->detail + line->detail_length) -
                  text));
    return true;
}

static bool lines_to_records(void *context, BenchSample *sample)
{
    const Dump *dump = context;
    Names names = { .intern = intern };
    OpprofBatchPool *pool =
        OpprofBatchPoolCreate(&opprof_sim_instruction_type, BATCH_RECORDS, 1 << 17);
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    SimLineReader *reader = NULL;
    OpprofStatus status;
    const char *text;
    size_t length;
    char path[256];
    SimLine line;

    log_path(dump, 0, "instr_popped", path, sizeof path);
    status = batch == NULL ? OPPROF_E_MEMORY : SimLineReaderOpen(path, &reader, NULL);
    while (status == OPPROF_OK) {
        status = SimLineReaderNext(reader, &text, &length, NULL);
        if (status == OPPROF_OK && SimLineParse(text, length, &camodel_marks()->watch, &line)) {
            status = put_record(batch, &names, &line, (uint64_t) sample->amount) ? OPPROF_OK
                                                                                 : OPPROF_E_MEMORY;
            sample->amount++;
        }
    }
    SimLineReaderClose(reader);
    NamesFinish(&names);
    OpprofBatchUnref(batch);
    OpprofBatchPoolDestroy(pool);
    return status == OPPROF_END;
}

/* ---- pairs ---- */

static OpprofStatus take_row(void *context, const PairingRow *row, OpprofError **error)
{
    OpprofBatch *batch = context;
    OpprofText detail;
    OpprofSimInstruction *record;

    (void) error;
    if (!make_room(batch) ||
        OpprofBatchAppendText(batch, row->detail, row->detail_length, &detail) != OPPROF_OK) {
        return OPPROF_E_MEMORY;
    }
    record = OpprofBatchAppend(batch);
    *record = (OpprofSimInstruction){ .pc = row->pc,
                                      .id = row->id,
                                      .start = row->start,
                                      .end = row->end,
                                      .pipe = row->pipe,
                                      .name = row->name,
                                      .sequence = row->sequence,
                                      .detail = detail };
    return OPPROF_OK;
}

static void hear_lack(void *context, const char *message)
{
    *(bool *) context = true;
    fprintf(stderr, "bench_sim: %s\n", message);
}

static void hear_bytes(void *context, uint64_t bytes)
{
    (void) context;
    (void) bytes;
}

typedef struct Core {
    const Dump *dump;
    uint32_t number;
    bool lacks;
    bool is_good;
    double lines;
    SimFiles popped;
    SimFiles instr;
} Core;

typedef bool CountLine(Pairing *pairing, const char *line, size_t length);

static bool count_log(SimFiles *files, Pairing *pairing, CountLine *count,
                      const SimLogEvents *events)
{
    OpprofStatus status;
    const char *line;
    size_t length;
    SimLog log;

    SimLogInit(&log, files, events, SimLineTrim);
    do {
        status = SimLogNext(&log, &line, &length, NULL);
    } while (status == OPPROF_OK && count(pairing, line, length));
    SimLogFinish(&log);
    return status == OPPROF_END;
}

static bool pair_both(Core *core, Pairing *pairing, OpprofBatch *batch, const SimLogEvents *events)
{
    SimLog logs[PAIRING_DONE];
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    SimLogInit(&logs[PAIRING_POPPED], &core->popped, events, SimLineTrim);
    SimLogInit(&logs[PAIRING_INSTR], &core->instr, events, SimLineTrim);
    PairingStart(pairing, &(PairingSink){ .context = batch, .intern = intern, .row = take_row });
    while (status == OPPROF_OK && PairingWants(pairing) != PAIRING_DONE) {
        status = SimLogNext(&logs[PairingWants(pairing)], &line, &length, NULL);
        status = status == OPPROF_END  ? PairingGiveEnd(pairing, NULL)
                 : status == OPPROF_OK ? PairingGive(pairing, line, length, NULL)
                                       : status;
    }
    SimLogFinish(&logs[PAIRING_POPPED]);
    SimLogFinish(&logs[PAIRING_INSTR]);
    return status == OPPROF_OK;
}

static void *pair_core(void *context)
{
    Core *core = context;
    const PairingCoreWords core_words = CAMODEL_CORE_WORDS;
    const PairingOptions options = { .by_id = core->dump->by_id,
                                     .threads = core->dump->by_id ? camodel_threads() : NULL,
                                     .marks = camodel_marks(),
                                     .core_words =
                                         core->dump->by_id ? (PairingCoreWords){ 0 } : core_words };
    const SimLogEvents events = { .context = &core->lacks, .lack = hear_lack, .bytes = hear_bytes };
    OpprofBatchPool *pool =
        OpprofBatchPoolCreate(&opprof_sim_instruction_type, BATCH_RECORDS, 1 << 17);
    OpprofBatch *batch = OpprofBatchPoolTake(pool);
    Pairing *pairing = PairingCreate(&options);
    char prefix[32];
    OpprofStatus status;

    snprintf(prefix, sizeof prefix, "core0.veccore%u.", core->number);
    status = SimFilesFind(core->dump->directory, prefix, "instr_popped_log.dump", UINT64_MAX,
                          &core->popped, NULL);
    if (status == OPPROF_OK) {
        status = SimFilesFind(core->dump->directory, prefix, "instr_log.dump", UINT64_MAX,
                              &core->instr, NULL);
    }
    if (status == OPPROF_OK && batch != NULL && pairing != NULL &&
        count_log(&core->popped, pairing, PairingCountPopped, &events) &&
        count_log(&core->instr, pairing, PairingCountInstr, &events)) {
        PairingCountEnd(pairing);
        core->is_good = pair_both(core, pairing, batch, &events) && !core->lacks;
        core->lines = (double) PairingGetCounts(pairing).lines;
    }
    PairingDestroy(pairing);
    OpprofBatchUnref(batch);
    OpprofBatchPoolDestroy(pool);
    SimFilesFinish(&core->popped);
    SimFilesFinish(&core->instr);
    return NULL;
}

static bool pair_in_turn(void *context, BenchSample *sample)
{
    const Dump *dump = context;
    bool is_good = true;

    for (uint32_t i = 0; i < dump->cores; i++) {
        Core core = { .dump = dump, .number = i };

        pair_core(&core);
        sample->amount += core.lines;
        is_good = is_good && core.is_good;
    }
    return is_good;
}

static bool pair_at_once(void *context, BenchSample *sample)
{
    Core cores[2] = { { .dump = context, .number = 0 }, { .dump = context, .number = 1 } };
    pthread_t thread;

    if (pthread_create(&thread, NULL, pair_core, &cores[1]) != 0) {
        return false;
    }
    pair_core(&cores[0]);
    pthread_join(thread, NULL);
    sample->amount = cores[0].lines + cores[1].lines;
    return cores[0].is_good && cores[1].is_good;
}

/* ---- cases ---- */

static const BenchCase cases[] = {
    { .name = "dump lines to records",
      .goal = 0.25,
      .subject = { "parse", lines_to_records, NULL },
      .peer = { "wc -l", wc_popped, NULL } },
    { .name = "paired rows",
      .goal = 0.125,
      .subject = { "read both logs twice, pair", pair_in_turn, NULL },
      .peer = { "wc -l", wc_both, NULL } },
    { .name = "paired rows by id",
      .goal = 0.125,
      .subject = { "read both logs twice, pair", pair_in_turn, NULL },
      .peer = { "wc -l", wc_both, NULL } },
    { .name = "two sub-cores",
      .goal = 1.6,
      .subject = { "two threads", pair_at_once, NULL },
      .peer = { "one thread", pair_in_turn, NULL } },
};

static void run_case(Bench *bench, size_t number, Dump *dump)
{
    BenchCase one = cases[number];

    one.unit = "Mlines/s";
    one.scale = 1e6;
    one.subject.context = dump;
    one.peer.context = dump;
    BenchRun(bench, &one);
}

static bool make_dump(Bench *bench, Dump *dump, DumpSeries series)
{
    const char *base = getenv("TMPDIR");
    const DumpOptions options = { .cores = 1,
                                  .instructions = BenchAmount(bench, LINES),
                                  .pcs = 500,
                                  .flags_percent = 10,
                                  .line_length = 128,
                                  .series = series,
                                  .seed = 1 };

    *dump = (Dump){ .by_id = series == DUMP_950, .cores = 1 };
    snprintf(dump->directory, sizeof dump->directory, "%.40s/bench-sim-XXXXXX",
             base == NULL ? "/tmp" : base);
    if (mkdtemp(dump->directory) == NULL || !DumpWrite(dump->directory, &options)) {
        perror("bench_sim: cannot write a dump");
        return false;
    }
    return true;
}

static void remove_dump(const Dump *dump)
{
    static const char *const kinds[] = { "instr_popped", "instr", "ifu.icache", "icache" };
    char path[256];

    for (uint32_t core = 0; core < 2; core++) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            log_path(dump, core, kinds[i], path, sizeof path);
            unlink(path);
        }
    }
    rmdir(dump->directory);
}

int main(int argc, char **argv)
{
    int status = 1;
    Bench *bench = BenchOpen("sim", argc, argv, &status);
    Dump a2, a5;

    if (bench == NULL) {
        return status;
    }
    camodel_threads(); /* facts are read before there is a clock or a second thread */
    if (make_dump(bench, &a2, DUMP_A2) && make_dump(bench, &a5, DUMP_950)) {
        run_case(bench, 0, &a2);
        run_case(bench, 1, &a2);
        run_case(bench, 2, &a5);
        a2.cores = 2;
        run_case(bench, 3, &a2);
        status = 0;
    }
    remove_dump(&a2);
    remove_dump(&a5);
    return BenchClose(bench) != 0 || status != 0;
}
