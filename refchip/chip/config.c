/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the configuration of the reference chip from the environment. Tested by tests/refchip/test_operators.sh. */
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

static void read_soc(void)
{
    const char *text = getenv("OPPROF_REFCHIP");

    snprintf(config.soc, sizeof config.soc, "Ascend910B1");
    while (text != NULL && *text != '\0') {
        text += strspn(text, " ");
        if (strncmp(text, "soc=", 4) == 0) {
            snprintf(config.soc, sizeof config.soc, "%.*s", (int) strcspn(text + 4, " "), text + 4);
        }
        text += strcspn(text, " ");
    }
    config.has_ids = strncmp(config.soc, "Ascend950", 9) == 0;
}

static void read_config(void)
{
    read_soc();
    config.devices = (uint32_t) number("devices", 1, 1, REFCHIP_MOST_DEVICES);
    config.cores = (uint32_t) number("cores", 24, 1, REFCHIP_MOST_CORES);
    config.threads = (uint32_t) number("threads", 2, 1, 64);
    config.bytes_in = (uint32_t) number("bytes_in", 118, 1, 4096);
    config.bytes_out = (uint32_t) number("bytes_out", 100, 1, 4096);
    config.memory = number("memory", UINT64_C(1) << 30, 4096, UINT64_C(1) << 36);
    config.seed = number("seed", 0, 0, UINT64_MAX);
    config.fail_malloc = (uint32_t) number("fail_malloc", 0, 0, UINT32_MAX);
}

const RefchipConfig *RefchipConfigGet(void)
{
    pthread_once(&once, read_config);
    return &config;
}
