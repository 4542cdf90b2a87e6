/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the basic facts of a launch. Tested by tests/plugins/parse-pmu/test_records. */
#include "basic_info.h"

#include <string.h>

#define MAX_DIGITS 15 /* a double holds any such number */

/* Names of the facts in chip files. */
static const char *const facts[INFO_KEYS] = {
    [INFO_NAME] = "name",
    [INFO_BLOCK_DIM] = "block_dim",
    [INFO_SOC] = "soc",
    [INFO_DEVICE_ID] = "device_id",
    [INFO_PID] = "pid",
    [INFO_CUR_FREQ] = "current_freq",
    [INFO_RATED_FREQ] = "rated_freq",
    [INFO_MC2] = "mc2",
    [INFO_LCCL] = "lccl",
    [INFO_SIMT] = "simt",
};

static void read_line(const OpprofRawForm *form, const char *line, size_t length, BasicInfo *info)
{
    const char *equals = memchr(line, form->separator, length);

    if (equals == NULL || equals == line || equals + 1 == line + length) {
        return;
    }
    const size_t key_length = (size_t) (equals - line);
    const size_t value_length = length - key_length - 1;
    if (memchr(equals + 1, form->separator, value_length) != NULL ||
        memchr(equals + 1, '\0', value_length) != NULL) {
        return;
    }
    for (size_t key = 0; key < INFO_KEYS; key++) {
        const char *name = OpprofRawKey(form, facts[key]);
        if (name != NULL && strlen(name) == key_length && memcmp(name, line, key_length) == 0) {
            info->values[key] = (BasicInfoValue){ .text = equals + 1, .length = value_length };
        }
    }
}

const char *BasicInfoName(const OpprofRawForm *form, BasicInfoKey key)
{
    const char *name = OpprofRawKey(form, facts[key]);

    return name != NULL ? name : facts[key];
}

void BasicInfoRead(const OpprofRawForm *form, const char *text, size_t length, BasicInfo *ret_info)
{
    *ret_info = (BasicInfo){ .values = { { NULL, 0 } } };
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        if (end == NULL) {
            return; /* part of a number is another number */
        }
        const size_t whole = (size_t) (end - text);
        const size_t line = whole > 0 && text[whole - 1] == '\r' ? whole - 1 : whole;
        read_line(form, text, line, ret_info);
        text += whole + 1;
        length -= whole + 1;
    }
}

bool BasicInfoFlag(const BasicInfo *info, BasicInfoKey key)
{
    return info->values[key].length == 1 && info->values[key].text[0] == '1';
}

bool BasicInfoNumber(const BasicInfo *info, BasicInfoKey key, double *ret_value)
{
    const BasicInfoValue *value = &info->values[key];
    double number = 0;

    if (value->text == NULL || value->length == 0 || value->length > MAX_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < value->length; i++) {
        if (value->text[i] < '0' || value->text[i] > '9') {
            return false;
        }
        number = number * 10 + (value->text[i] - '0');
    }
    *ret_value = number;
    return true;
}
