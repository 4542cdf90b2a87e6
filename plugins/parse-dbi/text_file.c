/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads small text files of a launch, and looks up values in them.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "text_file.h"

#include <opprof/kit/raw_names.h>
#include <opprof/record.h>

#include <stdlib.h>
#include <string.h>

#define BLOCKS_MANY UINT64_C(1000000000) /* more than any launch has: further digits do not count */

void DbiTextTake(DbiText *text, const char *bytes, size_t length)
{
    const size_t room = sizeof text->bytes - text->length;
    const size_t taken = length < room ? length : room;

    memcpy(text->bytes + text->length, bytes, taken);
    text->length += taken;
    text->is_longer = text->is_longer || taken < length;
}

const char *DbiTextFault(const DbiText *text)
{
    return text->is_longer ? "is longer than 4096 bytes, the rest of which are left out"
                           : OpprofRawTextFault(text->bytes, text->length);
}

const char *DbiValueOf(const DbiText *text, const char *chip, const char *fact, size_t *ret_length)
{
    const OpprofRawForm form = OpprofRawFormOf(chip, text->bytes, text->length);

    return OpprofRawValue(&form, fact, text->bytes, text->length, ret_length);
}

uint64_t DbiBlockDim(const DbiText *text, const char *chip)
{
    size_t length = 0;
    const char *value = DbiValueOf(text, chip, "block_dim", &length);
    uint64_t blocks = 0;

    for (size_t i = 0; value != NULL && i < length; i++) {
        if (value[i] < '0' || value[i] > '9') {
            return OPPROF_NA_U64;
        }
        if (blocks < BLOCKS_MANY) {
            blocks = blocks * 10 + (uint64_t) (value[i] - '0');
        }
    }
    return blocks == 0 ? OPPROF_NA_U64 : blocks;
}

/* False: the text is not a hexadecimal number. */
static bool read_start(const DbiText *text, uint64_t *ret_start)
{
    char line[32];
    char *end = NULL;
    const size_t length = text->length < sizeof line - 1 ? text->length : sizeof line - 1;

    memcpy(line, text->bytes, length);
    line[length] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[strspn(line, "0123456789abcdefABCDEFxX")] != '\0') {
        return false;
    }
    *ret_start = strtoull(line, &end, 16);
    return *end == '\0';
}

bool DbiStartIsSaid(const DbiText *text)
{
    uint64_t start;

    return read_start(text, &start);
}

uint64_t DbiStartOf(const DbiText *text)
{
    uint64_t start;

    return read_start(text, &start) && start != 0 ? start : OPPROF_NA_U64;
}
