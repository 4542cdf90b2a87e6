/* SPDX-License-Identifier: Apache-2.0 */
/* Logs that are kept as their records came: written, read as lines, printed, cut, damaged. */
#include "plugins/collect-sim/live/printer.h"
#include "plugins/collect-sim/live/spool.h"
#include "plugins/collect-sim/read/log.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/batches.h"
#include "tests/plugins/collect-sim/forms.h"
#include "tests/plugins/collect-sim/scratch.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

static Batch popped, other;

static void start(Batch *batch, uint8_t log, uint8_t sub_core)
{
    memset(batch, 0, sizeof *batch);
    batch->logs.log = log;
    batch->logs.sub_core = sub_core;
}

static void send_batch(LiveSpool *spool, Batch *batch)
{
    ck_assert(LiveSpoolTake(spool, &batch->logs, batch->records, batch->size));
    batch_empty(batch);
}

static void open_spool(LiveSpool *spool, const char *directory, const SimFacts *facts)
{
    const LiveSpoolPlace place = { .results = open(directory, O_RDONLY | O_DIRECTORY),
                                   .results_path = directory,
                                   .relative = "dump" };

    ck_assert_int_eq(LiveSpoolOpen(spool, &place, facts, NULL), OPPROF_OK);
}

/* ---- what readers see ---- */

typedef struct Heard {
    unsigned lacks;
    char lack[512]; /* the last one */
} Heard;

static void hear_lack(void *context, const char *message)
{
    Heard *heard = context;

    heard->lacks++;
    snprintf(heard->lack, sizeof heard->lack, "%s", message);
}

static void hear_bytes(void *context, uint64_t bytes)
{
    (void) context;
    (void) bytes;
}

/* All lines of a log of the operator's directory, with newlines. To be freed. */
static char *read_lines(const char *directory, const char *name, Heard *heard)
{
    const SimLogEvents events = { .context = heard, .lack = hear_lack, .bytes = hear_bytes };
    char dump[256], *text = NULL;
    size_t length, size = 0;
    const char *line;
    SimFiles files;
    SimLog log;
    FILE *out = open_memstream(&text, &size);

    *heard = (Heard){ .lacks = 0 };
    snprintf(dump, sizeof dump, "%s/dump", directory);
    ck_assert_int_eq(SimFilesFind(dump, "", name, UINT64_MAX, &files, NULL), OPPROF_OK);
    SimLogInit(&log, &files, &events, SimLogTrimNothing);
    while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
        fprintf(out, "%.*s\n", (int) length, line);
    }
    SimLogFinish(&log);
    SimFilesFinish(&files);
    fclose(out);
    return text;
}

static char *path_of(const char *directory, const char *name)
{
    char *path = NULL;

    ck_assert_int_ge(asprintf(&path, "%s/dump/%s", directory, name), 0);
    return path;
}

static bool is_there(const char *directory, const char *name)
{
    char *path = path_of(directory, name);
    const bool is = access(path, F_OK) == 0;

    free(path);
    return is;
}

static void print_all(const char *directory, char *reason, size_t room)
{
    char dump[256];
    LivePrinter printer;

    snprintf(dump, sizeof dump, "%s/dump", directory);
    LivePrinterStart(&printer, open(dump, O_RDONLY | O_DIRECTORY | O_CLOEXEC), dump);
    while (LivePrinterStep(&printer)) {
    }
    snprintf(reason, room, "%s", printer.reason);
    LivePrinterFinish(&printer);
}

/* ScratchFree removes no directories. */
static void remove_dump(char *directory)
{
    char command[256];

    snprintf(command, sizeof command, "exec rm -r '%s/dump'", directory);
    ck_assert_int_eq(system(command), 0);
    ScratchFree(directory);
}

/* ---- tests ---- */

/* More than the reader holds at once: texts that differ in few bytes, in many, and that are too
 * long for a slot. */
START_TEST(lines_are_those_of_the_records)
{
    SimFacts facts = facts_of(CAMODEL_MISS, true);
    char *directory = ScratchMake(), *wanted = NULL, *got, reason[256];
    size_t size = 0;
    FILE *out = open_memstream(&wanted, &size);
    LiveSpool spool;
    Heard heard;

    open_spool(&spool, directory, &facts);
    start(&popped, OPPROF_LIVE_LOG_START, 1);
    for (unsigned i = 0; i < 20000; i++) {
        char text[600];
        const int length =
            snprintf(text, sizeof text, "(PC: 0x%08x) VECTOR   : ADD  XD:X1=0x%x, %*s",
                     4 * (i % 3000), i * 7, i % 11 == 0 ? 300 : i % 40, "!");

        batch_add_text(&popped, i, i % 3000 % OPPROF_LIVE_SLOTS, text);
        fprintf(out, "[info] [%08u] %.*s\n", i, length, text);
        if (i % 300 == 299) {
            send_batch(&spool, &popped);
        }
    }
    send_batch(&spool, &popped);
    fclose(out);
    ck_assert(LiveSpoolClose(&spool));
    ck_assert_uint_eq(spool.records, 20000);
    ck_assert_uint_eq(spool.left_out, 0);
    ck_assert(is_there(directory, "core0.veccore0.instr_popped_log.dump.records"));
    got = read_lines(directory, "core0.veccore0.instr_popped_log.dump", &heard);
    ck_assert(strcmp(got, wanted) == 0);
    ck_assert_uint_eq(heard.lacks, 0);
    free(got);
    print_all(directory, reason, sizeof reason);
    ck_assert_str_eq(reason, "");
    ck_assert(!is_there(directory, "core0.veccore0.instr_popped_log.dump.records"));
    got = read_lines(directory, "core0.veccore0.instr_popped_log.dump", &heard);
    ck_assert(strcmp(got, wanted) == 0);
    ck_assert_uint_eq(heard.lacks, 0);
    free(got);
    free(wanted);
    LiveSpoolFinish(&spool);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

/* Files of the 310P name no sub-cores: what two of them send remembers its own. */
START_TEST(sub_cores_may_share_a_file)
{
    SimFacts facts = facts_of(CAMODEL_MISS, false);
    char *directory = ScratchMake(), *got;
    LiveSpool spool;
    Heard heard;

    open_spool(&spool, directory, &facts);
    start(&popped, OPPROF_LIVE_LOG_START, 0);
    start(&other, OPPROF_LIVE_LOG_START, 2);
    for (unsigned turn = 0; turn < 2; turn++) {
        batch_add_text(&popped, 1 + turn, 5, turn == 0 ? "the first core" : "the first cord");
        batch_add_text(&other, 3 + turn, 5, turn == 0 ? "another core" : "another cord");
        send_batch(&spool, &popped);
        send_batch(&spool, &other);
    }
    ck_assert(LiveSpoolClose(&spool));
    got = read_lines(directory, "core0.instr_popped_log.dump", &heard);
    ck_assert_str_eq(got, "[info] [00000001] the first core\n[info] [00000003] another core\n"
                          "[info] [00000002] the first cord\n[info] [00000004] another cord\n");
    free(got);
    LiveSpoolFinish(&spool);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

static void add_access(Batch *batch, uint8_t kind, uint64_t time, OpprofLiveAccess access,
                       const char *text)
{
    const OpprofLiveRecord record = { .time = time, .kind = kind, .is_last = 1 };

    batch_add(batch, record, &access, 1, text, strlen(text));
}

/* The forms come with the file, and are what the chip has. */
START_TEST(other_logs_are_printed_by_the_chips_forms)
{
    SimFacts facts = facts_of(CAMODEL_MISS_A2, true);
    char *directory = ScratchMake(), *got;
    LiveSpool spool;
    Heard heard;

    SimFormsFinish(&facts.issues); /* this chip prints none */
    open_spool(&spool, directory, &facts);
    start(&popped, OPPROF_LIVE_LOG_FETCH, 1);
    add_access(&popped, OPPROF_LIVE_MISS, 23071,
               (OpprofLiveAccess){ .address = 0x10f86a80, .size = 128, .request = 1 }, "");
    add_access(&popped, OPPROF_LIVE_FETCH, 995, (OpprofLiveAccess){ .address = 0x10f86000 }, "");
    send_batch(&spool, &popped);
    start(&popped, OPPROF_LIVE_LOG_ISSUE, 1);
    add_access(&popped, OPPROF_LIVE_ISSUE, 7, (OpprofLiveAccess){ .address = 0x20 }, "");
    send_batch(&spool, &popped);
    start(&popped, OPPROF_LIVE_LOG_TRANSFER, 0);
    add_access(&popped, OPPROF_LIVE_TRANSFER, 9, (OpprofLiveAccess){ .address = 0x20, .id = 4 },
               "BRIF send_req");
    send_batch(&spool, &popped);
    popped.logs.core = LIVE_CORES;
    add_access(&popped, OPPROF_LIVE_TRANSFER, 9, (OpprofLiveAccess){ .id = 4 }, "BRIF send_req");
    ck_assert(!LiveSpoolTake(&spool, &popped.logs, popped.records, popped.size));
    ck_assert(LiveSpoolClose(&spool));
    ck_assert_uint_eq(spool.records, 3);
    ck_assert_uint_eq(spool.left_out, 2);
    got = read_lines(directory, "core0.veccore0.icache_log.dump", &heard);
    ck_assert_str_eq(got, "[info] 23071: icache read address is 0x10f86a80, size is 0x00000080, "
                          "type:1, last:1, status is MISS\n"
                          "[info] 995: lookup_tag is fetch req addr:0x10f86000\n");
    free(got);
    got = read_lines(directory, "core0.veccore0.ccu_log.dump", &heard);
    ck_assert_str_eq(got, "");
    free(got);
    got = read_lines(directory, "core0.mte_log.dump", &heard);
    ck_assert_str_eq(got, "[info] 9: BRIF send_req, addr: 0x20, size: 0, instr_id: 4, req_id: 0\n");
    free(got);
    LiveSpoolFinish(&spool);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

#define FEW 20u

/* A file of a few records in two batches; returns where each record ends. */
static uint64_t write_few(const char *directory, const SimFacts *facts, uint64_t ends[FEW])
{
    char *path = path_of(directory, "core0.veccore0.instr_log.dump.records"), text[64];
    uint64_t at = 0;
    LiveSpool spool;
    struct stat about;

    open_spool(&spool, directory, facts);
    start(&popped, OPPROF_LIVE_LOG_END, 1);
    for (unsigned i = 0; i < FEW; i++) {
        snprintf(text, sizeof text, "(PC: 0x%08x) SCALAR   : ADD X%u", 4 * (i % 3), i);
        batch_add_text(&popped, i, i % 3, text);
        ends[i] = popped.size;
        if (i == 9) {
            send_batch(&spool, &popped);
        }
    }
    at = popped.size;
    send_batch(&spool, &popped);
    ck_assert(LiveSpoolClose(&spool));
    ck_assert_int_eq(stat(path, &about), 0);
    for (unsigned i = 0; i < FEW; i++) {
        /* The file ends with the second batch, before which are its head and the first one. */
        const uint64_t second = (uint64_t) about.st_size - at;

        ends[i] = i > 9 ? second + ends[i] : second - sizeof(OpprofLiveLogs) - ends[9] + ends[i];
    }
    LiveSpoolFinish(&spool);
    free(path);
    return (uint64_t) about.st_size;
}

/* Whole records count, and what is missing is reported, wherever the file ends. */
START_TEST(a_file_cut_at_every_byte_keeps_its_records)
{
    SimFacts facts = facts_of(CAMODEL_MISS, true);
    char *directory = ScratchMake();
    char *path = path_of(directory, "core0.veccore0.instr_log.dump.records");
    uint64_t ends[FEW], size = write_few(directory, &facts, ends);

    for (; size > 0; size--) {
        unsigned whole = 0, lines = 0;
        bool is_between;
        char *got;
        Heard heard;

        ck_assert_int_eq(truncate(path, (off_t) size), 0);
        got = read_lines(directory, "core0.veccore0.instr_log.dump", &heard);
        while (whole < FEW && ends[whole] <= size) {
            whole++;
        }
        for (const char *at = got; (at = strchr(at, '\n')) != NULL; at++) {
            lines++;
        }
        ck_assert_uint_eq(lines, whole);
        is_between = (whole == 10 && size == ends[9]) || size == ends[FEW - 1] ||
                     size == ends[0] - (ends[1] - ends[0]) - sizeof(OpprofLiveLogs);
        ck_assert_msg(is_between || heard.lacks > 0, "%" PRIu64 " bytes: nothing is reported",
                      size);
        ck_assert_msg(size != ends[FEW - 1] || heard.lacks == 0, "%s", heard.lack);
        free(got);
    }
    free(path);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

/* Every byte of a small file is another one once: no crash, and no line that is more than one. */
START_TEST(a_damaged_file_gives_lines_or_a_reason)
{
    SimFacts facts = facts_of(CAMODEL_MISS, true);
    char *directory = ScratchMake();
    char *path = path_of(directory, "core0.veccore0.instr_log.dump.records");
    uint64_t ends[FEW];
    const uint64_t size = write_few(directory, &facts, ends);
    FILE *file = fopen(path, "r+e");

    ck_assert_ptr_nonnull(file);
    for (uint64_t at = 0; at < size; at++) {
        int byte;
        Heard heard;
        char *got;

        fseek(file, (long) at, SEEK_SET);
        byte = fgetc(file);
        fseek(file, (long) at, SEEK_SET);
        fputc(byte ^ 0x85, file);
        fflush(file);
        got = read_lines(directory, "core0.veccore0.instr_log.dump", &heard);
        ck_assert(*got == '\0' || got[strlen(got) - 1] == '\n');
        free(got);
        fseek(file, (long) at, SEEK_SET);
        fputc(byte, file);
        fflush(file);
    }
    fclose(file);
    free(path);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

/* No file gets longer than so many bytes; 0: any. Nothing is asserted meanwhile, for that is
 * written, too. */
static void limit_files(rlim_t bytes)
{
    const struct rlimit limit = { .rlim_cur = bytes == 0 ? RLIM_INFINITY : bytes,
                                  .rlim_max = RLIM_INFINITY };

    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* A disk that is full is reported once, by name; what was written before is read. */
START_TEST(what_cannot_be_written_is_reported)
{
    SimFacts facts = facts_of(CAMODEL_MISS, true);
    char *directory = ScratchMake(), *got, reason[256];
    LiveSpool spool;
    Heard heard;
    bool is_taken;

    open_spool(&spool, directory, &facts);
    start(&popped, OPPROF_LIVE_LOG_START, 1);
    for (unsigned i = 0; i < 400; i++) {
        batch_add_text(&popped, i, i, "(PC: 0x00000010) SCALAR   : ADD");
    }
    limit_files(8192);
    is_taken = LiveSpoolTake(&spool, &popped.logs, popped.records, popped.size);
    limit_files(0);
    ck_assert(is_taken);
    ck_assert(!LiveSpoolClose(&spool));
    ck_assert_ptr_nonnull(strstr(spool.reason, "Cannot write '"));
    got = read_lines(directory, "core0.veccore0.instr_popped_log.dump", &heard);
    ck_assert_ptr_nonnull(strstr(got, "[info] [00000100] (PC: 0x00000010) SCALAR   : ADD\n"));
    ck_assert_uint_eq(heard.lacks, 1);
    free(got);
    limit_files(8192);
    print_all(directory, reason, sizeof reason);
    limit_files(0);
    ck_assert_msg(strncmp(reason, "Cannot write dump file '", 24) == 0, "%s", reason);
    ck_assert(is_there(directory, "core0.veccore0.instr_popped_log.dump.records"));
    LiveSpoolFinish(&spool);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

START_TEST(logs_are_removed_and_the_kernel_is_left)
{
    SimFacts facts = facts_of(CAMODEL_MISS, true);
    char *directory = ScratchMake();
    LiveSpool spool;

    open_spool(&spool, directory, &facts);
    start(&popped, OPPROF_LIVE_LOG_START, 1);
    batch_add_text(&popped, 1, 1, "ADD");
    send_batch(&spool, &popped);
    LiveSpoolKernel(&spool, 0x1000, "ELF", 3);
    ck_assert(LiveSpoolClose(&spool));
    LiveSpoolRemoveLogs(&spool);
    ck_assert(!is_there(directory, "core0.veccore0.instr_popped_log.dump.records"));
    ck_assert(is_there(directory, "aicore_binary.o") && is_there(directory, "pc_start_addr.txt"));
    LiveSpoolFinish(&spool);
    remove_dump(directory);
    SimFactsFinish(&facts);
}
END_TEST

static Suite *records_suite(void)
{
    Suite *suite = suite_create("records");
    TCase *tests = tcase_create("records");

    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, lines_are_those_of_the_records);
    tcase_add_test(tests, sub_cores_may_share_a_file);
    tcase_add_test(tests, other_logs_are_printed_by_the_chips_forms);
    tcase_add_test(tests, a_file_cut_at_every_byte_keeps_its_records);
    tcase_add_test(tests, a_damaged_file_gives_lines_or_a_reason);
    tcase_add_test(tests, what_cannot_be_written_is_reported);
    tcase_add_test(tests, logs_are_removed_and_the_kernel_is_left);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(records_suite)
