/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of memory transfer engines, with no readable byte after it: a parsed unit lies in the
 * line, and a parsed number stands in it.
 */
#include "fuzz/fuzz.h"
#include "plugins/parse-mte/line.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    static MteFacts *facts;
    OpprofChip *chip = NULL;
    MteLine line;

    if (facts == NULL) {
        setenv("OPPROF_CHIP_PATH", FUZZ_CORPUS_DIR "/../../chips", 1);
        setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
        FUZZ_REQUIRE(OpprofChipLoad("Ascend910B1", &chip, NULL) == OPPROF_OK);
        facts = MteFactsCreate(chip, "simulator.requests");
        OpprofChipFree(chip);
    }
    FUZZ_REQUIRE(facts != NULL);
    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    if (MteLineParse(facts, text, size, &line) == MTE_LINE_REQUEST) {
        FUZZ_REQUIRE(line.unit >= text && line.unit + line.unit_length <= text + size);
        FUZZ_REQUIRE(line.instruction_id != OPPROF_NA_U64 && line.tick != OPPROF_NA_U64);
    }
    free(text);
    return 0;
}
