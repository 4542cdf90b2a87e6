/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of launches that a range has recorded, with all that they need to be made if the recording
 * is lost. Tested by tests/refchip/test_range.sh.
 */
#include "inject/ascend/board.h"
#include "inject/ascend/range.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 20) /* of all arguments */
#define MOST_ATTRIBUTES 64u

/* What a launch by aclrt* is configured with. */
typedef struct Config {
    const void *attributes;
    size_t count;
} Config;

#define ATTRIBUTE_BYTES 20u

typedef struct Kept {
    Launch launch;
    rtTaskCfgInfo_t rt_config;
    Config config;
    uint8_t attributes[MOST_ATTRIBUTES * ATTRIBUTE_BYTES];
    Arguments arguments;
    struct Kept *next;
} Kept;

/* Guarded by the lock of launches. */
static Kept *all, **last = &all;
static size_t bytes;

static bool take_config(Kept *kept, const Launch *launch)
{
    const Config *config = launch->config;

    if (launch->sm != NULL ||
        (config != NULL && (!launch->is_acl || config->count > MOST_ATTRIBUTES))) {
        return false;
    }
    if (config != NULL) {
        if (config->count > 0) {
            memcpy(kept->attributes, config->attributes, config->count * ATTRIBUTE_BYTES);
        }
        kept->config = (Config){ kept->attributes, config->count };
        kept->launch.config = &kept->config;
    }
    if (launch->rt_config != NULL) {
        kept->rt_config = *launch->rt_config;
        kept->launch.rt_config = &kept->rt_config;
    }
    return true;
}

bool KeptAdd(const Launch *launch, const char **ret_why)
{
    Kept *kept = malloc(sizeof *kept);
    bool is_good = kept != NULL;

    *ret_why = "it cannot be kept";
    if (is_good) {
        *kept = (Kept){ .launch = *launch };
        *ret_why = "how it is configured cannot be copied";
        is_good = take_config(kept, launch) && ArgumentsTake(&kept->arguments, launch, ret_why);
        kept->launch.rt_args = NULL;
    }
    if (is_good && bytes + kept->arguments.size > MOST_BYTES) {
        *ret_why = "the arguments of its range are too many";
        is_good = false;
    }
    if (!is_good) {
        if (kept != NULL) {
            ArgumentsFinish(&kept->arguments);
        }
        free(kept);
        return false;
    }
    bytes += kept->arguments.size;
    *last = kept;
    last = &kept->next;
    return true;
}

AbiError KeptLaunch(void)
{
    AbiError error = 0;

    for (const Kept *kept = all; kept != NULL; kept = kept->next) {
        const AbiError own = ArgumentsLaunch(&kept->arguments, &kept->launch);

        error = error == 0 ? own : error;
    }
    return error;
}

void KeptForget(void)
{
    while (all != NULL) {
        Kept *kept = all;

        all = kept->next;
        ArgumentsFinish(&kept->arguments);
        free(kept);
    }
    last = &all;
    bytes = 0;
}
