/* SPDX-License-Identifier: Apache-2.0 */
/* gen_onboard: writes the raw files of a run on a device; see onboard.h. */
#include "tests/tools/onboard.h"
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: gen_onboard [OPTION]... DIRECTORY\n"
    "Write the raw files of made-up launches into DIRECTORY.\n"
    "  --chip NAME        310p, 910b, 910_93 or 950 (default 910b)\n"
    "  --soc NAME         as the data shall name it (default: one of that chip)\n"
    "  --op KIND          cube, vector or mix (default mix)\n"
    "  --work TEXT        matmul:M,N,K or add:M of halves, or random (default matmul:512,512,512)\n"
    "  --describe FILE    a workload described in FILE instead, see below\n"
    "  --name TEXT        name of the operator (default: made_up_ and the kind of work)\n"
    "  --blocks N         blocks of a launch (default 4)\n"
    "  --freq MHZ         clock; 0: not known (default: the rated one)\n"
    "  --launches N, --devices N\n"
    "                     so many; with more than one, the layout of a whole run (default 1)\n"
    "  --moves            with MemoryChart.bin\n"
    "  --operands         with OperandRecord.bin, 950 only\n"
    "  --application      replayed by running the application again: no process id\n"
    "  --missing ROUND    leave out the counters of one replay\n"
    "  --facts DIRECTORY  tables of events and replays (default: those of the source tree)\n"
    "  --seed N           same seed, same files (default 1)\n"
    "  --help             this text\n"
    "\n"
    "A workload is described by lines of KEY = NUMBER; '#' begins a comment. What is not named is "
    "0.\n"
    "  duration_us        duration of the task (default: a little longer than its cores)\n"
    "  spread             percent by which the cycles of cores differ at most, drawn from the "
    "seed\n"
    "and of each core of a kind, with 'cube.' or 'vector.' before it (310p: all with 'cube.'):\n"
    "  cycles             how long it ran\n"
    "  busy.UNIT          percent of the cycles that a unit was busy: cube, vec, scalar, mte1, "
    "mte2,\n"
    "                     mte3, fixp\n"
    "  bytes.PATH         bytes moved: gm_l1, l1_l0a, l1_l0b, l0c_gm, gm_ub, ub_gm; ub_read and\n"
    "                     ub_write by vector instructions\n"
    "  steps.cube         products of 16x16x16 halves\n"
    "  steps.vec          vector operations on 128 halves\n"
    "  l2_hit             percent of the requests to the L2 cache that hit (default 80)\n"
    "Counters follow from that: requests are bytes by the size of a request, rounded up; "
    "instructions\n"
    "move 32 KiB each; hits and misses together are the requests. examples/onboard has "
    "workloads.\n";

typedef struct Chip {
    const char *name, *soc;
    OnboardSeries series;
    uint32_t cores, mhz;
} Chip;

static const Chip chips[] = {
    { "310p", "Ascend310P3", ONBOARD_310P, 10, 1060 },
    { "910b", "Ascend910B1", ONBOARD_A2, 24, 1850 },
    { "910_93", "Ascend910_9391", ONBOARD_A2, 24, 1850 },
    { "950", "Ascend950PR_9599", ONBOARD_A5, 32, 1650 },
};

typedef struct Request {
    const Chip *chip;
    const char *facts;
    uint32_t launches, devices;
    OnboardLaunch launch;
} Request;

static bool read_number(const char *text, uint64_t most, uint64_t *ret_value)
{
    char *end;

    errno = 0;
    *ret_value = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *ret_value <= most;
}

static bool read_small(const char *text, uint32_t least, uint32_t most, uint32_t *ret_value)
{
    uint64_t value;

    if (!read_number(text, most, &value) || value < least) {
        return false;
    }
    *ret_value = (uint32_t) value;
    return true;
}

static bool read_chip(const char *text, Request *request)
{
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        if (strcmp(text, chips[i].name) == 0) {
            request->chip = &chips[i];
            return true;
        }
    }
    return false;
}

static bool read_op(const char *text, OnboardOp *ret_op)
{
    static const char *const names[] = { "cube", "vector", "mix" };

    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret_op = (OnboardOp) i;
            return true;
        }
    }
    return false;
}

static bool read_work(const char *text, OnboardLaunch *launch)
{
    int length = -1;

    if (strcmp(text, "random") == 0) {
        launch->work = ONBOARD_RANDOM;
        return true;
    }
    if (sscanf(text, "add:%" SCNu64 "%n", &launch->m, &length) == 1 && text[length] == '\0') {
        launch->work = ONBOARD_VECTOR_ADD;
        return launch->m > 0 && launch->m < UINT64_C(1) << 40;
    }
    launch->work = ONBOARD_MATMUL;
    return sscanf(text, "matmul:%" SCNu64 ",%" SCNu64 ",%" SCNu64 "%n", &launch->m, &launch->n,
                  &launch->k, &length) == 3 &&
           text[length] == '\0' && launch->m - 1 < 1 << 20 && launch->n - 1 < 1 << 20 &&
           launch->k - 1 < 1 << 20;
}

static bool read_option(int option, const char *text, Request *request)
{
    OnboardLaunch *launch = &request->launch;

    switch (option) {
    case 'c':
        return read_chip(text, request);
    case 's':
        launch->soc = text;
        return true;
    case 'o':
        return read_op(text, &launch->op);
    case 'w':
        return read_work(text, launch);
    case 'D':
        return OnboardDescribe(text, launch);
    case 'n':
        launch->name = text;
        return text[0] != '\0' && strlen(text) < 64 && strchr(text, '/') == NULL;
    case 'b':
        return read_small(text, 1, 65535, &launch->blocks);
    case 'f':
        launch->rated = 1;
        return read_small(text, 0, 100000, &launch->freq);
    case 'l':
        return read_small(text, 1, 1000, &request->launches);
    case 'd':
        return read_small(text, 1, 64, &request->devices);
    case 'm':
        launch->has_moves = true;
        return true;
    case 'p':
        launch->has_operands = true;
        return true;
    case 'a':
        launch->is_application = true;
        return true;
    case 'x':
        return read_small(text, 1, ONBOARD_MAX_ROUNDS, &launch->missing);
    case 'F':
        request->facts = text;
        return true;
    case 'S':
        return read_number(text, UINT64_MAX, &launch->seed);
    default:
        return false;
    }
}

static bool read_options(int argc, char **argv, Request *request)
{
    static const struct option options[] = {
        { "chip", required_argument, NULL, 'c' },     { "soc", required_argument, NULL, 's' },
        { "op", required_argument, NULL, 'o' },       { "work", required_argument, NULL, 'w' },
        { "describe", required_argument, NULL, 'D' }, { "name", required_argument, NULL, 'n' },
        { "help", no_argument, NULL, 'h' },           { "blocks", required_argument, NULL, 'b' },
        { "freq", required_argument, NULL, 'f' },     { "launches", required_argument, NULL, 'l' },
        { "devices", required_argument, NULL, 'd' },  { "moves", no_argument, NULL, 'm' },
        { "operands", no_argument, NULL, 'p' },       { "application", no_argument, NULL, 'a' },
        { "missing", required_argument, NULL, 'x' },  { "facts", required_argument, NULL, 'F' },
        { "seed", required_argument, NULL, 'S' },     { NULL, 0, NULL, 0 }
    };
    OnboardLaunch *launch = &request->launch;
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            exit(0);
        }
        if (!read_option(option, optarg, request)) {
            return false;
        }
    }
    launch->soc = launch->soc == NULL ? request->chip->soc : launch->soc;
    launch->cores = request->chip->cores;
    launch->freq = launch->rated == 0 ? request->chip->mhz : launch->freq;
    launch->rated = request->chip->mhz;
    return optind == argc - 1;
}

/* Makes the directory of `path` and those above it. */
static bool make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            fprintf(stderr, "cannot make '%s': %s\n", path, strerror(errno));
            return false;
        }
        *slash = '/';
    }
    return true;
}

#define LAUNCH_TICKS 1000000000u /* from one launch to the next: longer than its replays */

static bool write_one(const OnboardFacts *facts, const Request *request, uint32_t device,
                      uint32_t number, const char *directory)
{
    static const char *const works[] = { [ONBOARD_MATMUL] = "matmul",
                                         [ONBOARD_VECTOR_ADD] = "add",
                                         [ONBOARD_RANDOM] = "random",
                                         [ONBOARD_DESCRIBED] = "workload" };
    const bool is_alone = request->launches == 1 && request->devices == 1;
    OnboardLaunch launch = request->launch;
    char path[PATH_MAX], name[64];

    snprintf(name, sizeof name, "made_up_%s", works[launch.work]);
    if (launch.name != NULL) {
        snprintf(name, sizeof name, "%s", launch.name);
    }
    launch.name = name;
    launch.device = device;
    launch.later = ((uint64_t) device * 1000 + number) * LAUNCH_TICKS;
    launch.seed = launch.seed * 100003 + (uint64_t) device * 1009 + number;
    if (is_alone) {
        snprintf(path, sizeof path, "%s/", directory);
    } else {
        snprintf(path, sizeof path, "%s/device%" PRIu32 "/%s/%" PRIu32 "/dump/", directory, device,
                 name, number);
    }
    return make_directories(path) && OnboardWriteLaunch(facts, &launch, path);
}

int main(int argc, char **argv)
{
    Request request = {
        .chip = &chips[1],
        .facts = ONBOARD_FACTS_DIR,
        .launches = 1,
        .devices = 1,
        .launch = { .op = ONBOARD_OP_MIX, .blocks = 4, .seed = 1, .m = 512, .n = 512, .k = 512 },
    };
    OnboardFacts facts;

    if (!read_options(argc, argv, &request)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!OnboardReadFacts(request.facts, request.chip->series, &facts)) {
        return 1;
    }
    for (uint32_t device = 0; device < request.devices; device++) {
        for (uint32_t number = 0; number < request.launches; number++) {
            if (!write_one(&facts, &request, device, number, argv[argc - 1])) {
                return 1;
            }
        }
    }
    return 0;
}
