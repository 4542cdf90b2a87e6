/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the configuration of the reference chip from the environment. Tested by
 * tests/refchip/test_operators.sh. */
#include "config.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RefchipConfig config;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number(const char *key, uint64_t usual, uint64_t least, uint64_t most)
{
    const char *text = getenv("OPPROF_REFCHIP");
    const size_t length = strlen(key);

    while (text != NULL && *text != '\0') {
        text += strspn(text, " ");
        if (strncmp(text, key, length) == 0 && text[length] == '=') {
            const uint64_t value = strtoull(text + length + 1, NULL, 0);

            return value < least ? least : value > most ? most : value;
        }
        text += strcspn(text, " ");
    }
    return usual;
}

/* The value of a key, up to the next blank. */
static void read_word(const char *key, char *word, size_t size)
{
    const char *text = getenv("OPPROF_REFCHIP");
    const size_t length = strlen(key);

    while (text != NULL && *text != '\0') {
        text += strspn(text, " ");
        if (strncmp(text, key, length) == 0 && text[length] == '=') {
            text += length + 1;
            snprintf(word, size, "%.*s", (int) strcspn(text, " "), text);
            return;
        }
        text += strcspn(text, " ");
    }
}

#define NAME(name) #name,

/* Every effect at every place. */
static void read_places(void)
{
    static const char *const places[] = { FAULT_PLACES(NAME) };
    static const char *const effects[] = { FAULT_EFFECTS(NAME) };
    char key[32];

    for (uint32_t place = 0; place < FAULT_MOST_PLACES; place++) {
        for (uint32_t effect = 0; effect < FAULT_MOST_EFFECTS; effect++) {
            snprintf(key, sizeof key, "%s_%s", effects[effect], places[place]);
            config.faults[place][effect] = (uint32_t) number(key, 0, 0, UINT32_MAX);
        }
    }
    config.only = (uint32_t) number("only", 0, 0, REFCHIP_MOST_DEVICES);
    read_word("trace", config.trace, sizeof config.trace);
}

static void read_faults(void)
{
    config.fail_start = (uint32_t) number("fail_start", 0, 0, UINT32_MAX);
    config.fail_read = (uint32_t) number("fail_read", 0, 0, UINT32_MAX);
    config.lose_stop = (uint32_t) number("lose_stop", 0, 0, UINT32_MAX);
    config.silent = (uint32_t) number("silent", 0, 0, UINT32_MAX);
    config.endless = (uint32_t) number("endless", 0, 0, UINT32_MAX);
    config.late = (uint32_t) number("late", 0, 0, UINT32_MAX);
    config.fail_poll = (uint32_t) number("fail_poll", 0, 0, UINT32_MAX);
    config.left_over = number("left_over", 0, 0, UINT64_MAX);
    config.fail_map = (uint32_t) number("fail_map", 0, 0, UINT32_MAX);
    config.silent_monitor = (uint32_t) number("silent_monitor", 0, 0, UINT32_MAX);
    config.stuck_monitor = (uint32_t) number("stuck_monitor", 0, 0, UINT32_MAX);
    config.short_read = (uint32_t) number("short_read", 0, 0, UINT32_MAX);
}

static void read_soc(void)
{
    snprintf(config.soc, sizeof config.soc, "Ascend910B1");
    read_word("soc", config.soc, sizeof config.soc);
    read_word("account", config.account, sizeof config.account);
    config.has_ids = strncmp(config.soc, "Ascend950", 9) == 0;
    config.is_310p = strncmp(config.soc, "Ascend310P", 10) == 0;
}

static void read_config(void)
{
    read_soc();
    config.devices = (uint32_t) number("devices", 1, 1, REFCHIP_MOST_DEVICES);
    config.cores = (uint32_t) number("cores", 24, 1, REFCHIP_MOST_CORES);
    config.threads = (uint32_t) number("threads", 2, 1, 64);
    config.bytes_in = (uint32_t) number("bytes_in", 118, 1, 4096);
    config.bytes_out = (uint32_t) number("bytes_out", 100, 1, 4096);
    config.memory = number("memory", UINT64_C(1) << 34, 4096, UINT64_C(1) << 36);
    config.patience = number("patience", UINT64_C(100000000), 1, UINT64_MAX);
    config.seed = number("seed", 0, 0, UINT64_MAX);
    config.limit = (uint32_t) number("limit", 0, 0, UINT16_MAX);
    config.meeting = (uint32_t) number("meeting", 60000, 1, 3600000);
    config.windows = (uint32_t) number("windows", 36, 0, REFCHIP_MOST_CORES);
    config.mhz = (uint32_t) number("mhz", 1850, 1, 1000000);
    config.tick_khz = (uint32_t) number("tick_khz",
                                        config.has_ids   ? 1000000
                                        : config.is_310p ? 38400
                                                         : 50000,
                                        1, 10000000);
    read_faults();
    read_places();
}

const RefchipConfig *RefchipConfigGet(void)
{
    pthread_once(&once, read_config);
    return &config;
}
