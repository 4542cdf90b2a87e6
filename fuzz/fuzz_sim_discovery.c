/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dump directories: whether they are recognised, which cores there are, which pieces their logs
 * have, what they show of the chip, and reading the pieces twice. The input names files, as
 * marked_files.h says.
 */
#include "fuzz/fuzz.h"
#include "fuzz/marked_files.h"
#include "plugins/collect-sim/read/facts.h"
#include "plugins/collect-sim/lines/line.h"
#include "plugins/collect-sim/read/mte_files.h"
#include "plugins/collect-sim/read/recognise.h"

#include <opprof/kit/chip.h>
#include <stdlib.h>
#include <string.h>

typedef struct Heard {
    uint64_t bytes;
    unsigned lacks;
} Heard;

static void hear_lack(void *context, const char *message)
{
    ((Heard *) context)->lacks++;
    FUZZ_REQUIRE(message[0] != '\0');
}

static void hear_bytes(void *context, uint64_t bytes)
{
    ((Heard *) context)->bytes += bytes;
}

static uint64_t read_log(SimFiles *files, Heard *heard)
{
    const SimLogEvents events = { .context = heard, .lack = hear_lack, .bytes = hear_bytes };
    const char *line;
    uint64_t lines = 0;
    size_t length;
    SimLog log;

    SimLogInit(&log, files, &events, SimLineTrim);
    while (SimLogNext(&log, &line, &length, NULL) == OPPROF_OK) {
        SimLine parsed;

        SimLineParse(line, length, &sim_watch_popped, &parsed);
        lines++;
    }
    SimLogFinish(&log);
    return lines;
}

/* Both readings see the same lines; what is lacking is reported in the first. */
static void read_twice(SimFiles *files)
{
    Heard first = { .bytes = 0 }, second = { .bytes = 0 };
    const uint64_t lines = read_log(files, &first);

    FUZZ_REQUIRE(read_log(files, &second) == lines);
    FUZZ_REQUIRE(first.bytes == files->bytes && second.bytes == first.bytes);
    FUZZ_REQUIRE(files->lost == NULL || files->count == 0 || first.lacks > 0);
}

static void look_through(const char *directory)
{
    FoundCores cores;
    SimClues clues;
    SimFiles mte;

    if (DiscoverCores(directory, 1 << 20, &cores, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(cores.count > 0);
        FUZZ_REQUIRE(SimCluesRead(&cores, &clues, NULL) == OPPROF_OK);
        for (uint32_t i = 0; i < cores.count; i++) {
            FUZZ_REQUIRE(strncmp(cores.cores[i].prefix, cores.cores[i].name,
                                 strlen(cores.cores[i].name)) == 0);
            read_twice(&cores.cores[i].popped);
            read_twice(&cores.cores[i].instr);
        }
        FoundCoresFinish(&cores);
    }
    if (MteFilesFind(directory, &(SimFacts){ .mte_file = "mte_log.dump" }, 0, 1 << 20, &mte,
                     NULL) == OPPROF_OK) {
        read_twice(&mte);
        SimFilesFinish(&mte);
    }
}

/* A chip that states names of its own; it stays for all inputs. */
static const SimLogNames *named(void)
{
    static SimLogNames names;
    static OpprofChip *chip;

    if (chip == NULL) {
        setenv("OPPROF_CHIP_PATH", FUZZ_NAMED_CHIPS_DIR, 1);
        setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
        FUZZ_REQUIRE(OpprofChipLoad("Named", &chip, NULL) == OPPROF_OK);
        FUZZ_REQUIRE(SimLogNamesOf(chip, &names, NULL) == OPPROF_OK);
    }
    return &names;
}

static void look_for_named(const char *directory, const SimLogNames *names)
{
    FoundCores cores;

    if (DiscoverNamed(directory, names, 1 << 20, &cores, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(cores.count > 0);
        for (uint32_t i = 0; i < cores.count; i++) {
            FUZZ_REQUIRE(cores.cores[i].name != NULL);
            read_twice(&cores.cores[i].popped);
            read_twice(&cores.cores[i].instr);
        }
        FoundCoresFinish(&cores);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const SimLogNames *names = named();
    MarkedFiles files;

    MarkedFilesWrite(&files, (const char *) data, size);
    MarkedFilesRecognise(&files, recognise_kinds);
    look_through(files.directory);
    look_for_named(files.directory, names);
    MarkedFilesRemove(&files);
    return 0;
}
