/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opprof-refchip: runs a program on the reference chip. It sets the environment and becomes the
 * program. Tested by tests/refchip/test_operators.sh.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <opprof/error.h>
#include <opprof/kit/chip.h>
#include <opprof/kit/live.h>
#include <opprof/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DEVICES 8u

typedef struct Options {
    const char *chip;
    unsigned devices;
    bool has_callbacks; /* the chip's simulator calls back with what it logs */
} Options;

/* Where libraries and sample programs are. */
typedef struct Places {
    char assembler[PATH_MAX];
    char libraries[PATH_MAX];
    char silent[PATH_MAX]; /* a library without log callbacks, which comes before them */
    char programs[PATH_MAX];
} Places;

static void print_help(void)
{
    fputs(
        "usage: opprof-refchip [--chip SOC] [--devices N] COMMAND [ARGUMENT]...\n"
        "\n"
        "Runs a program for the Ascend runtime on a reference chip: libraries with that runtime's\n"
        "interface that simulate small kernels on any Linux machine. Sample operators are run by\n"
        "name: matmul and vector-add, with --size N, --double-buffer, --blocks N.\n"
        "\n"
        "  --chip SOC     what it is, such as Ascend910B1 (the default), Ascend910_9391, "
        "Ascend950PR_9599, Ascend310P3\n"
        "  --devices N    how many there are, 1 to 8; default: 1\n"
        "  --version      versions\n"
        "  --help         this text\n"
        "\n"
        "  opprof-run sim-live -- opprof-refchip matmul --double-buffer\n",
        stdout);
}

static bool parse_devices(const char *text, unsigned *ret_devices)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);

    if (*text == '\0' || *end != '\0' || number < 1 || number > MOST_DEVICES) {
        fprintf(stderr, "opprof-refchip: --devices needs a number from 1 to %u, not '%s'\n",
                MOST_DEVICES, text);
        return false;
    }
    *ret_devices = (unsigned) number;
    return true;
}

/* -1: go on; else the exit code. */
static int parse(Options *options, int argc, char **argv)
{
    static const struct option known[] = { { "chip", required_argument, NULL, 'c' },
                                           { "devices", required_argument, NULL, 'd' },
                                           { "version", no_argument, NULL, 'v' },
                                           { "help", no_argument, NULL, 'h' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    *options = (Options){ .chip = "Ascend910B1", .devices = 1 };
    while ((option = getopt_long(argc, argv, "+h", known, NULL)) != -1) {
        switch (option) {
        case 'c':
            options->chip = optarg;
            break;
        case 'd':
            if (!parse_devices(optarg, &options->devices)) {
                return 2;
            }
            break;
        case 'v':
            printf("opprof-refchip %s\n", OpprofVersion());
            return 0;
        case 'h':
            print_help();
            return 0;
        default:
            fputs("See opprof-refchip --help\n", stderr);
            return 2;
        }
    }
    if (optind == argc) {
        fputs("opprof-refchip: COMMAND is missing; see opprof-refchip --help\n", stderr);
        return 2;
    }
    return -1;
}

/* ---- the chip ---- */

/* Bytes that a core moves in a cycle, from a peak in GB/s of the chip's file; 0: it has none. */
static unsigned bytes_a_cycle(const OpprofChip *chip, const char *path)
{
    const char *family = OpprofChipText(chip, "peaks.family");
    const uint64_t hz = OpprofChipClock(chip, "core");
    char name[256];
    double peak;

    snprintf(name, sizeof name, "peaks.families.%s.default.%s", family == NULL ? "" : family, path);
    if (family == NULL || hz == 0 || !OpprofChipNumber(chip, name, &peak)) {
        return 0;
    }
    return (unsigned) (peak * 1e9 / (double) hz);
}

static int describe(const OpprofChip *chip, const Options *options, char *text, size_t size)
{
    const char *before = getenv("OPPROF_REFCHIP");
    const unsigned in = bytes_a_cycle(chip, "GM_TO_UB"), out = bytes_a_cycle(chip, "UB_TO_GM");
    double cores = 0;
    int length = snprintf(text, size, "soc=%s devices=%u %s", OpprofChipSoc(chip), options->devices,
                          before == NULL ? "" : before);
    const uint64_t hz = OpprofChipClock(chip, "core");

    if (OpprofChipNumber(chip, "cores.count", &cores) && length > 0 && (size_t) length < size) {
        length += snprintf(text + length, size - (size_t) length, " cores=%u", (unsigned) cores);
    }
    if (hz >= 1000000 && length > 0 && (size_t) length < size) {
        length +=
            snprintf(text + length, size - (size_t) length, " mhz=%u", (unsigned) (hz / 1000000));
    }
    if (in > 0 && out > 0 && length > 0 && (size_t) length < size) {
        length +=
            snprintf(text + length, size - (size_t) length, " bytes_in=%u bytes_out=%u", in, out);
    }
    return length;
}

static bool set_chip(Options *options)
{
    OpprofError *error = NULL;
    OpprofChip *chip = NULL;
    char text[1024] = "";
    bool is_good = OpprofChipLoad(options->chip, &chip, &error) == OPPROF_OK;

    if (!is_good) {
        char *reason = OpprofErrorText(error, false);

        fprintf(stderr, "opprof-refchip: %s\n", reason != NULL ? reason : "the chip is not known");
        free(reason);
        OpprofErrorDestroy(error);
        return false;
    }
    if (OpprofChipText(chip, "simulator.operands") == NULL) {
        fprintf(stderr,
                "opprof-refchip: The reference chip cannot be %s: its logs are in the form "
                "of the series 310P, 910B, 910_93 and 950\n",
                OpprofChipSoc(chip));
        is_good = false;
    } else {
        const int length = describe(chip, options, text, sizeof text);

        options->has_callbacks = strcmp(OpprofChipText(chip, "simulator.operands"), "310p") != 0;

        is_good =
            length > 0 && (size_t) length < sizeof text && setenv("OPPROF_REFCHIP", text, 1) == 0;
        if (!is_good) {
            fputs("opprof-refchip: OPPROF_REFCHIP is too long\n", stderr);
        }
    }
    OpprofChipFree(chip);
    return is_good;
}

/* ---- the search path ---- */

static bool is_folder(const char *path)
{
    return access(path, X_OK) == 0;
}

static bool join(char *path, const char *folder, const char *rest)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, rest) < PATH_MAX;
}

/* The build tree has them beside this program, an installation in a folder of their own. */
static bool find_places(Places *places)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *folder;

    if (length < 0) {
        perror("opprof-refchip: /proc/self/exe");
        return false;
    }
    self[length] = '\0';
    folder = dirname(self);
    if (strcmp(basename(folder), ".libs") == 0) {
        folder = dirname(folder);
    }
    if (join(places->assembler, folder, "refchip-as") && join(places->libraries, folder, ".libs") &&
        join(places->programs, folder, "programs") && join(places->silent, folder, "310P/.libs") &&
        is_folder(places->libraries) && is_folder(places->programs)) {
        return true;
    }
    if (is_folder(REFCHIP_DIRECTORY "/lib")) {
        snprintf(places->assembler, PATH_MAX, "%s", REFCHIP_DIRECTORY "/refchip-as");
        snprintf(places->libraries, PATH_MAX, "%s", REFCHIP_DIRECTORY "/lib");
        snprintf(places->programs, PATH_MAX, "%s", REFCHIP_DIRECTORY "/programs");
        snprintf(places->silent, PATH_MAX, "%s", REFCHIP_DIRECTORY "/lib/310P");
        return true;
    }
    fprintf(stderr, "opprof-refchip: There are no libraries in '%s'\n", REFCHIP_DIRECTORY "/lib");
    return false;
}

/* OPPROF_REFCHIP_LIBRARIES names other libraries, for tests of other layouts. */
static bool set_path(const Places *places, bool has_callbacks)
{
    const char *wanted = getenv("OPPROF_REFCHIP_LIBRARIES");
    const char *chosen = wanted == NULL && !has_callbacks ? places->silent : wanted;
    const char *before = getenv("LD_LIBRARY_PATH");
    char *path = NULL;
    int length;
    bool is_good;

    length = asprintf(&path, "%s%s%s%s%s", chosen != NULL ? chosen : "", chosen != NULL ? ":" : "",
                      places->libraries, before != NULL ? ":" : "", before != NULL ? before : "");
    is_good = length >= 0 && setenv("LD_LIBRARY_PATH", path, 1) == 0;
    if (length >= 0) {
        free(path);
    }
    return is_good;
}

/* A profiler of the program can have its kernels instrumented by the assembler, if its user says
 * so: this tells the user how. */
static bool set_instrumenter(const Places *places)
{
    return setenv(OPPROF_LIVE_INSTRUMENTER, places->assembler, 0) == 0;
}

/* A sample by name comes before a program of the search path. */
static void become(const Places *places, char **command)
{
    char sample[PATH_MAX];

    if (strchr(command[0], '/') == NULL && join(sample, places->programs, command[0]) &&
        access(sample, X_OK) == 0) {
        execv(sample, command);
    } else {
        execvp(command[0], command);
    }
    fprintf(stderr, "opprof-refchip: Cannot run '%s': %s\n", command[0], strerror(errno));
}

int main(int argc, char **argv)
{
    Options options;
    Places places;
    const int code = parse(&options, argc, argv);

    if (code >= 0) {
        return code;
    }
    if (!set_chip(&options) || !find_places(&places) || !set_path(&places, options.has_callbacks) ||
        !set_instrumenter(&places)) {
        return 1;
    }
    become(&places, argv + optind);
    return 127;
}
