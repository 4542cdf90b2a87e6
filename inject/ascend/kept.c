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

typedef struct Kept {
    Launch launch;
    rtTaskCfgInfo_t rt_config;
    aclrtLaunchKernelCfg config;
    aclrtLaunchKernelAttr attributes[MOST_ATTRIBUTES];
    Arguments arguments;
    struct Kept *next;
} Kept;

/* Guarded by the lock of launches. */
static Kept *all, **last = &all;
static size_t bytes;

static bool take_config(Kept *kept, const Launch *launch)
{
    const aclrtLaunchKernelCfg *config = launch->config;

    if (launch->sm != NULL ||
        (config != NULL && (!launch->is_acl || config->numAttrs > MOST_ATTRIBUTES))) {
        return false;
    }
    if (config != NULL) {
        if (config->numAttrs > 0) {
            memcpy(kept->attributes, config->attrs, config->numAttrs * sizeof *config->attrs);
        }
        kept->config = (aclrtLaunchKernelCfg){ kept->attributes, config->numAttrs };
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

/* What is kept from here on. */
static void forget_from(Kept **first)
{
    last = first;
    while (*first != NULL) {
        Kept *kept = *first;

        *first = kept->next;
        bytes -= kept->arguments.size;
        ArgumentsFinish(&kept->arguments);
        free(kept);
    }
}

void KeptForget(void)
{
    forget_from(&all);
}

void KeptTakeBack(void)
{
    Kept **latest = &all;

    while (*latest != NULL && (*latest)->next != NULL) {
        latest = &(*latest)->next;
    }
    forget_from(latest);
}
