/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log callbacks of two simulator threads into the parser: through the injection library's batches
 * and a socket to records that are counted and spooled, against the same callbacks writing dump
 * files, as a simulator does. The operands of an instruction differ from turn to turn.
 */
#include "bench/bench.h"
#include "bench/tree.h"
#include "inject/ascend/ascend.h"
#include "plugins/collect-sim/live/counts.h"
#include "plugins/collect-sim/live/spool.h"
#include "tests/plugins/collect-sim/forms.h"
#include "refchip/chip/dvc.h"
#include <inttypes.h>
#include <limits.h>
#include "kit/live/live_parts.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <fcntl.h>
#include <unistd.h>

#define PAIRS UINT64_C(500000) /* of a thread */
#define PCS 500u
#define TURNS 64u /* of a loop, with operands of their own */
#define OPERATOR 1u

static char decodes[PCS][64];
static char operands[TURNS][PCS][96];
static uint64_t pairs;

static void make_texts(void)
{
    for (unsigned i = 0; i < PCS; i++) {
        snprintf(decodes[i], sizeof decodes[i], "(PC: 0x%08x) VECTOR   : (Binary: 0x%08x) VADD",
                 0x10f86000 + 4 * i, 0x07000000 + i);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            snprintf(operands[turn][i], sizeof operands[turn][i],
                     "Dtype: F32, XD:X29=0x%x, XN:X3=0x10f%02x, XM:X4=0x2000080808010101, ",
                     0x8000 * turn + 64 * i, 0x1000 * turn + i);
        }
    }
}

/* ---- the simulator: two threads, a core each ---- */

typedef void Entry(void *context, uint64_t time, const DvcInstr *instr, bool is_popped);

typedef struct Simulator {
    uint32_t core;
    Entry *entry;
    void *context;
} Simulator;

static void *simulate(void *argument)
{
    const Simulator *simulator = argument;

    for (uint64_t i = 0; i < pairs; i++) {
        const unsigned pc = (unsigned) (i % PCS);
        const unsigned turn = (unsigned) (i / PCS % TURNS);
        const DvcInstr instr = { .core_id = simulator->core,
                                 .sub_core_id = DVC_VECTOR0,
                                 .pc = 0x10f86000 + 4 * pc,
                                 .decode = decodes[pc],
                                 .execute = operands[turn][pc] };

        simulator->entry(simulator->context, 2 * i, &instr, true);
        simulator->entry(simulator->context, 2 * i + 5, &instr, false);
    }
    return NULL;
}

static bool start_simulators(Simulator simulators[2], pthread_t threads[2])
{
    return pthread_create(&threads[0], NULL, simulate, &simulators[0]) == 0 &&
           pthread_create(&threads[1], NULL, simulate, &simulators[1]) == 0;
}

/* ---- dump files ---- */

static void write_entry(void *context, uint64_t time, const DvcInstr *instr, bool is_popped)
{
    FILE *const *files = context;

    fprintf(files[is_popped], "[info] [%08" PRIu64 "] %s  %s\n", time, instr->decode,
            instr->execute);
}

static bool to_files(void *unused, BenchSample *sample)
{
    FILE *files[2][2] = { { NULL, NULL }, { NULL, NULL } };
    Simulator simulators[2];
    pthread_t threads[2];
    char directory[PATH_MAX], path[PATH_MAX + 64];
    bool is_good = TreeMake("bench-callbacks", directory, sizeof directory);

    (void) unused;
    for (unsigned i = 0; i < 4 && is_good; i++) {
        snprintf(path, sizeof path, "%s/core%u.veccore0.instr%s_log.dump", directory, i / 2,
                 i % 2 == 0 ? "" : "_popped");
        files[i / 2][i % 2] = fopen(path, "we");
        is_good = files[i / 2][i % 2] != NULL;
        simulators[i / 2] = (Simulator){ i / 2, write_entry, files[i / 2] };
    }
    is_good = is_good && start_simulators(simulators, threads);
    for (unsigned i = 0; i < 2 && is_good; i++) {
        pthread_join(threads[i], NULL);
    }
    for (unsigned i = 0; i < 4; i++) {
        is_good = files[i / 2][i % 2] != NULL && fclose(files[i / 2][i % 2]) == 0 && is_good;
    }
    TreeRemove(directory);
    sample->amount = (double) (4 * pairs);
    return is_good;
}

/* ---- the injection library's half, with a link of its own ---- */

static DvcCallback *callbacks[DVC_LOG_TYPES];
static int link_fd = -1;
static pthread_mutex_t link_lock = PTHREAD_MUTEX_INITIALIZER; /* guards messages on the link */

static void attach_callback(uint32_t type, DvcCallback *callback)
{
    callbacks[type] = callback;
}

static void set_level(uint32_t file, uint32_t screen, uint32_t flush)
{
    (void) file;
    (void) screen;
    (void) flush;
}

void *OriginalFind(const char *name)
{
    if (strcmp(name, "DvcAttachLogCallback") == 0) {
        return (void *) attach_callback;
    }
    return strcmp(name, "DvcSetLogLevel") == 0 ? (void *) set_level : NULL;
}

static bool send_all(const void *data, size_t size)
{
    const char *at = data;

    while (size > 0) {
        const ssize_t sent = send(link_fd, at, size, MSG_NOSIGNAL);

        if (sent <= 0) {
            return false;
        }
        at += sent;
        size -= (size_t) sent;
    }
    return true;
}

bool LinkSend(uint32_t type, const void *first, size_t first_size, const void *second,
              size_t second_size)
{
    const OpprofLiveHead head = { type, (uint32_t) (first_size + second_size) };
    bool is_sent;

    pthread_mutex_lock(&link_lock);
    is_sent = send_all(&head, sizeof head) && send_all(first, first_size) &&
              send_all(second, second_size);
    pthread_mutex_unlock(&link_lock);
    return is_sent;
}

static bool open_link(const OpprofLiveServer *server)
{
    const char *name = LiveServerName(server);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    OpprofLiveHello hello = { .magic = OPPROF_LIVE_MAGIC,
                              .version = OPPROF_LIVE_VERSION,
                              .flags = OPPROF_LIVE_HAS_LOGS };

    memcpy(address.sun_path + 1, name, strlen(name));
    for (size_t i = 0; i < OPPROF_LIVE_TOKEN_BYTES; i++) {
        sscanf(LiveServerToken(server) + 2 * i, "%2hhx", &hello.token[i]);
    }
    link_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return link_fd >= 0 &&
           connect(link_fd, (const struct sockaddr *) &address,
                   (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))) == 0 &&
           LinkSend(OPPROF_LIVE_HELLO, &hello, sizeof hello, NULL, 0);
}

static void call_back(void *context, uint64_t time, const DvcInstr *instr, bool is_popped)
{
    (void) context;
    callbacks[is_popped ? DVC_INSTR_POPPED_LOG : DVC_INSTR_LOG](time, instr);
}

/* ---- the collector's half ---- */

typedef struct Collector {
    SimFacts facts;
    LiveSpool spool;
    LiveCounts counts;
    bool has_ended;
} Collector;

static void on_hello(void *context, OpprofLiveClient *client, const OpprofLiveHello *hello)
{
    (void) context;
    (void) client;
    (void) hello;
}

static void on_logs(void *context, OpprofLiveClient *client, const OpprofLiveLogs *logs,
                    const uint8_t *records, size_t size)
{
    Collector *collector = context;

    (void) client;
    if (LiveSpoolTake(&collector->spool, logs, records, size)) {
        LiveCountsTake(&collector->counts, logs, records, size);
    }
}

static void on_finish(void *context, OpprofLiveClient *client, const OpprofLiveFinish *finish)
{
    Collector *collector = context;

    (void) client;
    (void) finish;
    collector->has_ended = true;
}

static void on_gone(void *context, OpprofLiveClient *client, const char *why)
{
    Collector *collector = context;

    (void) client;
    (void) why;
    collector->has_ended = true;
}

/* Both threads, and then what they left in their batches. */
static void *run_program(void *unused)
{
    Simulator simulators[2] = { { 0, call_back, NULL }, { 1, call_back, NULL } };
    const OpprofLiveFinish finish = { .operator_id = OPERATOR };
    pthread_t threads[2];

    (void) unused;
    CamodelAttach(0);
    CamodelStart(OPERATOR);
    if (start_simulators(simulators, threads)) {
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
    }
    CamodelStop();
    LinkSend(OPPROF_LIVE_FINISH, &finish, sizeof finish, NULL, 0);
    return NULL;
}

/* Each record of both cores is counted as one. */
static bool are_counted(const LiveCounts *counts)
{
    bool is_good = !counts->is_lost;

    for (unsigned core = 0; core < 2; core++) {
        const Pairing *pairing = counts->pairings[core][DVC_VECTOR0];
        const PairingCounts counted =
            pairing == NULL ? (PairingCounts){ .popped = 0 } : PairingGetCounts(pairing);

        is_good = is_good && counted.popped == pairs && counted.instr == pairs;
    }
    return is_good;
}

static bool collect(Collector *collector, OpprofLiveServer *server)
{
    pthread_t program;

    if (!open_link(server) || pthread_create(&program, NULL, run_program, NULL) != 0) {
        return false;
    }
    while (!collector->has_ended) {
        OpprofLiveServerStep(server, 1000);
    }
    pthread_join(program, NULL);
    return LiveSpoolClose(&collector->spool) && collector->spool.records == 4 * pairs &&
           are_counted(&collector->counts);
}

static bool to_parser(void *context, BenchSample *sample)
{
    Collector *collector = context;
    const OpprofLiveEvents events = { .context = collector,
                                      .hello = on_hello,
                                      .logs = on_logs,
                                      .finish = on_finish,
                                      .gone = on_gone };
    const OpprofLiveWelcome welcome = { .magic = OPPROF_LIVE_MAGIC,
                                        .version = OPPROF_LIVE_VERSION };
    OpprofLiveServer *server = NULL;
    char directory[PATH_MAX];
    bool is_good;

    if (!TreeMake("bench-callbacks", directory, sizeof directory)) {
        return false;
    }
    collector->has_ended = false;
    LiveCountsStart(&collector->counts, &collector->facts, NULL, NULL);
    const LiveSpoolPlace place = { .results = open(directory, O_RDONLY | O_DIRECTORY),
                                   .results_path = directory,
                                   .relative = "dump" };

    is_good = LiveSpoolOpen(&collector->spool, &place, &collector->facts, NULL) == OPPROF_OK &&
              LiveServerCreate(&welcome, &events, &server, NULL) == OPPROF_OK &&
              collect(collector, server);
    LiveServerDestroy(server);
    if (link_fd >= 0) {
        close(link_fd);
    }
    link_fd = -1;
    LiveSpoolFinish(&collector->spool);
    close(place.results);
    LiveCountsFinish(&collector->counts);
    TreeRemove(directory);
    sample->amount = (double) (4 * pairs);
    return is_good;
}

int main(int argc, char **argv)
{
    static Collector collector;
    int status;
    Bench *bench = BenchOpen("callbacks", argc, argv, &status);

    collector.facts = facts_of(CAMODEL_MISS, true);
    collector.facts.marks = *camodel_marks();
    const BenchCase one = { .name = "callbacks of two threads",
                            .unit = "Mcallbacks/s",
                            .scale = 1e6,
                            .goal = 1,
                            .subject = { "counted and spooled", to_parser, &collector },
                            .peer = { "written to dump files", to_files, NULL } };

    if (bench == NULL) {
        return status;
    }
    pairs = BenchAmount(bench, PAIRS);
    make_texts();
    BenchRun(bench, &one);
    return BenchClose(bench);
}
