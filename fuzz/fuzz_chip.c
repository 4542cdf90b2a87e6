/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chip files: one from outside beside none of our own, with every kind of question asked of it, and
 * its section "own" bound by a table that has all a table can have.
 */
#include "fuzz/fuzz.h"
#include "kit/facts/chip_file.h"

#include <fcntl.h>
#include <opprof/kit/facts.h>
#include <opprof/kit/record_bits.h>
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

typedef struct Part {
    const char *name;
    uint32_t number;
    OpprofForm *form;
} Part;

typedef struct Own {
    Part *parts;
    uint32_t part_count;
    Part *others;
    uint32_t other_count;
    uint16_t few[4];
    uint32_t few_count;
    uint32_t size;
    OpprofRecordBits block;
    uint64_t set;
    uint8_t choice;
    double real;
} Own;

static const OpprofFormField form_fields[] = {
    { .name = "tick", .use = OPPROF_FORM_REQUIRED },
    { .name = "name", .kind = OPPROF_FORM_WORD },
    { .name = "detail", .kind = OPPROF_FORM_HERE },
    { .name = "any", .kind = OPPROF_FORM_REST, .use = OPPROF_FORM_REPEATED },
};
static const OpprofFormLanguage language = { .fields = form_fields, .field_count = 4 };

#define FIELD(text, kind, ...)                                                                     \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_##kind, __VA_ARGS__                                 \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

static const OpprofFactField part_fields[] = {
    FIELD("n", TEXT, .flags = OPPROF_FACT_REQUIRED, OPPROF_FACT_IN(Part, name)),
    FIELD("number", WHOLE, .least = 1, .most = 4, .unit = "bytes", OPPROF_FACT_IN(Part, number)),
    FIELD("line", FORM, .form = &language, OPPROF_FACT_IN(Part, form)),
    END,
};
static const OpprofFactField part = { .type = OPPROF_FACT_IS_OBJECT, .of = part_fields };
static const OpprofFactField pair_fields[] = {
    FIELD(NULL, WHOLE, .most = 9),
    FIELD(NULL, CHOICE, .from = "'x','y'"),
    END,
};
static const OpprofFactField record_fields[] = {
    FIELD("block", BITS, OPPROF_FACT_IN(Own, block)),
    END,
};
static const OpprofFactField fields[] = {
    FIELD("needed", ANY, .flags = OPPROF_FACT_REQUIRED),
    FIELD("this", BOOL, .flags = OPPROF_FACT_ONE_OF),
    FIELD("that", NULL, .flags = OPPROF_FACT_ONE_OF),
    FIELD("parts", LIST, .least = 1, .unique = "n", .of = &part,
          OPPROF_FACT_ARRAY(Own, parts, part_count)),
    FIELD("few", LIST, .flags = OPPROF_FACT_IN_PLACE, .most = 4,
          .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .size = 2),
          OPPROF_FACT_ARRAY(Own, few, few_count)),
    FIELD("pair_of", TUPLE, .of = pair_fields),
    FIELD("size", WHOLE, OPPROF_FACT_IN(Own, size)),
    FIELD("byte_order", CHOICE, .from = "'little','big'"),
    FIELD("fields", OBJECT, .of = record_fields),
    FIELD("set", SET, OPPROF_FACT_IN(Own, set)),
    FIELD("name", NAME, .from = "things,things.*.*.name,'0'"),
    FIELD("choice", CHOICE, .from = "things.beta", OPPROF_FACT_IN(Own, choice)),
    FIELD("id", ID, .from = "things"),
    FIELD("pair", PAIR, .from = "things,'0'"),
    FIELD("rate", FORMULA,
          .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_REAL, OPPROF_FACT_IN(Own, real))),
    FIELD("let", MAP, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_COUNT, .from = ".let,things")),
    FIELD("numbered", MAP, .flags = OPPROF_FACT_NUMBERED, .most = 65535,
          .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_ANY)),
    FIELD("*", MAP, .from = "things", .of = &part, OPPROF_FACT_ARRAY(Own, others, other_count),
          OPPROF_FACT_KEY(Part, name)),
    END,
};
static const OpprofFactTable table = { .fields = fields, .size = sizeof(Own) };

/* What is bound is found again by the same table; what is not leaves nothing. */
static void bind_own(const OpprofChip *chip)
{
    static const Own nothing;
    OpprofError *error = NULL;
    Own own;
    const OpprofStatus status = OpprofFactsBind(chip, "own", &table, &own, &error);

    FUZZ_REQUIRE(status == OPPROF_OK || (status == OPPROF_E_DATA && error != NULL));
    FUZZ_REQUIRE(status == OPPROF_OK || memcmp(&own, &nothing, sizeof own) == 0);
    FUZZ_REQUIRE(own.few_count <= 4 && own.choice < UINT8_MAX);
    OpprofFactsFree(&table, &own);
    OpprofErrorDestroy(error);
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
        bind_own(chip);
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
    RawNamesForget();
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
