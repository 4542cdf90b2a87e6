/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what a launch was: lines of "key=value", and the kernel's address.
 * Tests: tests/plugins/mc2/test_vectors.sh.
 */
#include "launch_info.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_ROOM 32u

static bool is_key(const char *line, size_t length, const char *key, const char **ret_value,
                   size_t *ret_length)
{
    const size_t key_length = strlen(key);

    if (length <= key_length + 1 || memcmp(line, key, key_length) != 0 || line[key_length] != '=') {
        return false;
    }
    *ret_value = line + key_length + 1;
    *ret_length = length - key_length - 1;
    return true;
}

static double read_mhz(const char *text, size_t length)
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

typedef struct Clocks {
    double current;
    double rated;
} Clocks;

static void read_line(LaunchInfo *info, Clocks *clocks, const char *line, size_t length)
{
    const char *value;
    size_t count;

    if (is_key(line, length, "Run Soc Version", &value, &count) && count < LAUNCH_SOC_ROOM) {
        memcpy(info->soc, value, count);
        info->soc[count] = '\0';
    } else if (is_key(line, length, "Is MC2", &value, &count)) {
        info->is_mc2 = count == 1 && *value == '1';
    } else if (is_key(line, length, "Is Lccl", &value, &count)) {
        info->is_lccl = count == 1 && *value == '1';
    } else if (is_key(line, length, "Current Freq", &value, &count)) {
        clocks->current = read_mhz(value, count);
    } else if (is_key(line, length, "Rated Freq", &value, &count)) {
        clocks->rated = read_mhz(value, count);
    }
}

void LaunchInfoBasic(LaunchInfo *info, const char *text, size_t length)
{
    Clocks clocks = { 0, 0 };

    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        const size_t whole = end == NULL ? length : (size_t) (end - text);
        const size_t line = whole > 0 && text[whole - 1] == '\r' ? whole - 1 : whole;
        read_line(info, &clocks, text, line);
        const size_t step = end == NULL ? whole : whole + 1;
        text += step;
        length -= step;
    }
    info->core_mhz = clocks.current > 0 ? clocks.current : clocks.rated;
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
