/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chip files: one from outside beside none of our own, with every kind of question asked of it, and
 * its section "own" checked against a schema that has all a schema can have.
 */
#include "fuzz/fuzz.h"
#include "kit/facts/chip_file.h"
#include "kit/facts/chip_schema.h"

#include <fcntl.h>
#include <opprof/kit/chip.h>
#include <opprof/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/opprof-fuzz-chip-XXXXXX";
static char path[sizeof directory + sizeof "/chip.json"];

static void clean_up(void)
{
    unlink(path);
    rmdir(directory);
}

static void set_up(void)
{
    if (path[0] != '\0') {
        return;
    }
    if (mkdtemp(directory) == NULL) {
        abort();
    }
    snprintf(path, sizeof path, "%s/chip.json", directory);
    setenv("OPPROF_CHIP_PATH", directory, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    atexit(clean_up);
}

static void write_chip(const uint8_t *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, data, size) != (ssize_t) size) {
        abort();
    }
    close(fd);
}

static const char schema[] =
    "{ needed!: int(1..4 bytes), number: number(0.. us) | bool, text: text, this/: int, that/: "
    "int, "
    "line: form<tick!, name, detail^, any*> | [ form<tick!> ], nested: [ int | [ int ] ], "
    "fixed: int | [ 'x' | 'y', int(1..4) ], open: { *: int }, some: [+ int ], named: [+n { n!: "
    "text } ], "
    "name: <things>, element: <things.beta>, deep: <things.*.*.name>, or: <things,'0'>, "
    "by: { <things>: int }, pair: pair<things,'0'>, side: 'up' | 'down', rate: formula, "
    "count: whole<things> }";

static void check_schema(const OpprofChip *chip)
{
    ChipMistakes mistakes = { .count = 0 };

    ChipSchemaCheck(chip, "own", schema, &mistakes);
    FUZZ_REQUIRE(!mistakes.no_memory && (mistakes.count > 0) == (mistakes.lines != NULL));
    free(mistakes.lines);
}

static void ask(const char *name)
{
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;
    double number;

    if (OpprofChipLoad(name, &chip, &error) == OPPROF_OK) {
        OpprofChipText(chip, "simulator.pair_by");
        OpprofChipText(chip, "simulator..");
        OpprofChipNumber(chip, "clocks.core", &number);
        OpprofChipBool(chip, "simulator.logical_cores", true);
        OpprofChipClock(chip, "core");
        check_schema(chip);
    } else if (error == NULL) {
        abort();
    }
    OpprofErrorDestroy(error);
    OpprofChipFree(chip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char **names = NULL;
    size_t count;

    set_up();
    write_chip(data, size);
    ChipsForget();
    count = OpprofChipList(&names);
    ask("no such chip");
    for (size_t i = 0; i < count; i++) {
        if (i < 8) {
            ask(names[i]);
        }
        free(names[i]);
    }
    free(names);
    return 0;
}
