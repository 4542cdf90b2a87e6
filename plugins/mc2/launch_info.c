/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the facts of a launch: lines of "key=value", and the kernel's address. Tests:
 * tests/plugins/mc2/test_vectors.sh.
 */
#include "launch_info.h"

#include <opprof/kit/raw_names.h>

#include <stdlib.h>
#include <string.h>

#define NUMBER_ROOM 32u

static double read_number(const char *text, size_t length)
{
    char digits[NUMBER_ROOM] = "";

    if (length >= sizeof digits || length == 0) {
        return 0;
    }
    memcpy(digits, text, length);
    if (strspn(digits, "0123456789") != length) {
        return 0;
    }
    return strtod(digits, NULL);
}

/* Facts of a text. */
typedef struct Facts {
    OpprofRawForm form;
    const char *text;
    size_t length;
} Facts;

static bool flag_of(const Facts *facts, const char *fact)
{
    size_t length = 0;
    const char *value = OpprofRawValue(&facts->form, fact, facts->text, facts->length, &length);

    return value != NULL && length == 1 && *value == '1';
}

/* 0: not a number, or not stated. */
static double number_of(const Facts *facts, const char *fact)
{
    size_t length = 0;
    const char *value = OpprofRawValue(&facts->form, fact, facts->text, facts->length, &length);

    return value == NULL ? 0 : read_number(value, length);
}

void LaunchInfoBasic(LaunchInfo *info, const char *chip, const char *text, size_t length)
{
    const Facts facts = { OpprofRawFormOf(chip, text, length), text, length };
    size_t count = 0;
    const char *soc = OpprofRawValue(&facts.form, "soc", text, length, &count);

    if (soc != NULL && count < LAUNCH_SOC_ROOM) {
        memcpy(info->soc, soc, count);
        info->soc[count] = '\0';
    }
    info->is_there = length > 0;
    info->is_mc2 = flag_of(&facts, "mc2");
    info->is_lccl = flag_of(&facts, "lccl");
    info->core_mhz = number_of(&facts, "current_freq");
    if (!(info->core_mhz > 0)) {
        info->core_mhz = number_of(&facts, "rated_freq");
    }
    const double blocks = number_of(&facts, "block_dim");
    info->blocks = blocks >= 1 && blocks < UINT16_MAX ? (uint32_t) blocks : 0;
}

void LaunchInfoTell(OpprofStage *stage, uint32_t partition, uint32_t file, const char *text,
                    size_t length)
{
    const char *fault = OpprofRawTextFault(text, length);

    if (fault != NULL) {
        OpprofStageIncomplete(stage, "Launch '%s': '%s' %s", OpprofStageString(stage, partition),
                              OpprofStageString(stage, file), fault);
    }
}

void LaunchInfoStart(LaunchInfo *info, const char *text, size_t length)
{
    char digits[NUMBER_ROOM] = "";
    char *end;

    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    const size_t count = length < sizeof digits - 1 ? length : sizeof digits - 1;
    memcpy(digits, text, count);
    digits[strcspn(digits, "\r\n \t")] = '\0';
    info->start_pc = strtoull(digits, &end, 16);
    if (*end != '\0') {
        info->start_pc = 0;
    }
}
