/* SPDX-License-Identifier: Apache-2.0 */
/* gen_dump: writes a dump directory of any size; see dump.h. */
#include "tests/tools/dump.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: gen_dump [OPTION]... DIRECTORY\n"
    "Write the dump files of a made-up simulation into DIRECTORY.\n"
    "  --cores N          pairs of vector cores, single cores on 310p (default 1)\n"
    "  --instructions N   lines of each log (default 1000000)\n"
    "  --pcs N            instructions of the program, 1 to 100000 (default 500)\n"
    "  --marks PERCENT    of them that start or stop a user mark, 0 to 100 (default 0)\n"
    "  --flags PERCENT    of the others that set or wait for flags, 0 to 90 (default 10)\n"
    "  --ends             the program of an a2 ends with END\n"
    "  --lone-flags       no set finds its wait\n"
    "  --line-length N    about so many bytes a line, 90 to 400 (default 128)\n"
    "  --series NAME      a2, 950 or 310p (default a2)\n"
    "  --seed N           same seed, same files (default 1)\n";

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret_value)
{
    char *end;

    errno = 0;
    *ret_value = strtoull(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *ret_value >= least && *ret_value <= most;
}

static bool read_series(const char *text, DumpSeries *ret_series)
{
    static const char *const names[] = { "a2", "950", "310p" };

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret_series = (DumpSeries) i;
            return true;
        }
    }
    return false;
}

static bool read_option(int option, const char *text, DumpOptions *options)
{
    uint64_t value = 0;
    bool is_good = true;

    switch (option) {
    case 'c':
        is_good = read_number(text, 1, 1000, &value);
        options->cores = (uint32_t) value;
        break;
    case 'i':
        is_good = read_number(text, 1, 100000000000, &options->instructions);
        break;
    case 'p':
        is_good = read_number(text, 1, 100000, &value);
        options->pcs = (uint32_t) value;
        break;
    case 'm':
        is_good = read_number(text, 0, 100, &value);
        options->marks_percent = (uint32_t) value;
        break;
    case 'e':
        options->ends = true;
        break;
    case 'o':
        options->lone_flags = true;
        break;
    case 'f':
        is_good = read_number(text, 0, 90, &value);
        options->flags_percent = (uint32_t) value;
        break;
    case 'l':
        is_good = read_number(text, 90, 400, &value);
        options->line_length = (uint32_t) value;
        break;
    case 's':
        is_good = read_series(text, &options->series);
        break;
    case 'r':
        is_good = read_number(text, 0, UINT64_MAX, &options->seed);
        break;
    default:
        is_good = false;
        break;
    }
    return is_good;
}

static bool read_options(int argc, char **argv, DumpOptions *options)
{
    static const struct option table[] = {
        { "cores", required_argument, NULL, 'c' },
        { "instructions", required_argument, NULL, 'i' },
        { "pcs", required_argument, NULL, 'p' },
        { "marks", required_argument, NULL, 'm' },
        { "ends", no_argument, NULL, 'e' },
        { "lone-flags", no_argument, NULL, 'o' },
        { "flags", required_argument, NULL, 'f' },
        { "line-length", required_argument, NULL, 'l' },
        { "series", required_argument, NULL, 's' },
        { "seed", required_argument, NULL, 'r' },
        { NULL, 0, NULL, 0 },
    };
    int option;

    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        if (!read_option(option, optarg, options)) {
            return false;
        }
    }
    return optind == argc - 1;
}

int main(int argc, char **argv)
{
    DumpOptions options = { .cores = 1,
                            .instructions = 1000000,
                            .pcs = 500,
                            .flags_percent = 10,
                            .line_length = 128,
                            .seed = 1 };

    if (!read_options(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if ((mkdir(argv[optind], 0777) != 0 && errno != EEXIST) || !DumpWrite(argv[optind], &options)) {
        fprintf(stderr, "gen_dump: cannot write to '%s': %s\n", argv[optind], strerror(errno));
        return 1;
    }
    return 0;
}
