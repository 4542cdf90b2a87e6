/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refchip-as: assembles the source of a kernel of the reference chip to an ELF file, and
 * instruments such files. Tested by tests/refchip/test_operators.sh and
 * tests/refchip/test_instrument.sh.
 */
#include "instrument.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 20)
#define MOST_ARGUMENT 0x3fffu /* what a load reaches */
#define MOST_SLOT (UINT64_C(1) << 40)

static char *read_source(const char *path)
{
    FILE *in = fopen(path, "re");
    char *text = malloc(MOST_BYTES + 1);
    size_t size;

    if (in == NULL || text == NULL) {
        fprintf(stderr, "refchip-as: Cannot read '%s': %s\n", path, strerror(errno));
        free(text);
        if (in != NULL) {
            fclose(in);
        }
        return NULL;
    }
    size = fread(text, 1, MOST_BYTES, in);
    text[size] = '\0';
    fclose(in);
    if (size == MOST_BYTES) {
        fprintf(stderr, "refchip-as: '%s' has more than %u bytes\n", path, MOST_BYTES - 1);
        free(text);
        return NULL;
    }
    return text;
}

static int assemble(const char *path, const char *name, const char *output)
{
    AsmCode code;
    AsmError error;
    char *source = read_source(path);
    bool is_good;

    if (source == NULL) {
        return 1;
    }
    is_good = Assemble(source, &code, &error);
    if (!is_good) {
        fprintf(stderr, "%s:%u: %s\n", path, (unsigned) error.line, error.text);
    } else if (!AsmWriteElf(&code, name, output)) {
        fprintf(stderr, "refchip-as: Cannot write '%s': %s\n", output, strerror(errno));
        is_good = false;
    }
    AsmCodeFinish(&code);
    free(source);
    return is_good ? 0 : 1;
}

/* ---- instrumenting ---- */

typedef struct Options {
    bool instruments;
    const char *map; /* NULL: none */
    const char *log; /* the same */
    InstrumentWish wish;
} Options;

static bool read_number(const char *text, uint64_t most, uint64_t *ret_number)
{
    char *end;

    errno = 0;
    *ret_number = strtoull(text, &end, 0);
    return *text != '\0' && *end == '\0' && errno == 0 && *ret_number <= most;
}

static bool take_option(int option, Options *options)
{
    uint64_t number = 0;
    bool is_good = true;

    switch (option) {
    case 'i':
        options->instruments = true;
        is_good = InstrumentKindOf(optarg, &options->wish.kind);
        break;
    case 'a':
        is_good = read_number(optarg, MOST_ARGUMENT, &number) && number % 8 == 0;
        options->wish.argument = (uint32_t) number;
        break;
    case 's':
        is_good = read_number(optarg, MOST_SLOT, &options->wish.slot_bytes);
        break;
    case 'g':
        is_good = read_number(optarg, MOST_SLOT, &options->wish.gap);
        break;
    case 'm':
        options->map = optarg;
        break;
    case 'l':
        options->log = optarg;
        break;
    case 'p':
        is_good = InstrumentPipesOf(optarg, &options->wish.pipes);
        break;
    default:
        return false;
    }
    if (!is_good) {
        fprintf(stderr, "refchip-as: '%s' is not a value of this option\n", optarg);
    }
    return is_good;
}

static bool open_note(const char *path, FILE **ret_file)
{
    *ret_file = path == NULL ? NULL : fopen(path, "we");
    return path == NULL || *ret_file != NULL;
}

static bool close_note(FILE *file)
{
    return file == NULL || fclose(file) == 0;
}

static bool write_code(const AsmCode *code, const Options *options, const char *output)
{
    InstrumentNotes notes = { .map = NULL };
    AsmCode made;
    bool is_good = open_note(options->map, &notes.map) && open_note(options->log, &notes.log);

    if (is_good) {
        is_good = Instrument(code, &options->wish, &made, &notes) && AsmWriteElf(&made, "", output);
        AsmCodeFinish(&made);
    }
    is_good = close_note(notes.map) && is_good;
    is_good = close_note(notes.log) && is_good;
    if (!is_good) {
        fprintf(stderr, "refchip-as: Cannot write '%s': %s\n", output, strerror(errno));
    }
    return is_good;
}

static int instrument(const Options *options, const char *kernel, const char *output)
{
    const char *why = "";
    AsmCode code;
    bool is_good = AsmReadElf(kernel, &code, &why);

    if (!is_good) {
        fprintf(stderr, "refchip-as: '%s': %s\n", kernel, why);
    }
    is_good = is_good && write_code(&code, options, output);
    AsmCodeFinish(&code);
    return is_good ? 0 : 1;
}

static int help(void)
{
    fputs("usage: refchip-as SOURCE NAME-IN-DEBUG-INFORMATION OUTPUT\n"
          "       refchip-as --instrument=blocks|memory|operands|warps|start|regions\n"
          "                  [--argument=OFFSET] [--slot=BYTES] [--gap=BYTES] [--map=FILE] "
          "[--log=FILE] [--pipes=A|B]\n"
          "                  KERNEL OUTPUT\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option known[] = { { "instrument", required_argument, NULL, 'i' },
                                           { "argument", required_argument, NULL, 'a' },
                                           { "slot", required_argument, NULL, 's' },
                                           { "gap", required_argument, NULL, 'g' },
                                           { "map", required_argument, NULL, 'm' },
                                           { "log", required_argument, NULL, 'l' },
                                           { "pipes", required_argument, NULL, 'p' },
                                           { NULL, 0, NULL, 0 } };
    Options options = { .instruments = false };
    int option;

    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (!take_option(option, &options)) {
            return help();
        }
    }
    if (argc - optind != (options.instruments ? 2 : 3)) {
        return help();
    }
    argv += optind;
    return options.instruments ? instrument(&options, argv[0], argv[1])
                               : assemble(argv[0], argv[1], argv[2]);
}
