/* SPDX-License-Identifier: Apache-2.0 */
/* Described workloads: lines of "key = value"; see gen_onboard --help. */
#include "tests/tools/onboard.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Key {
    const char *name;
    size_t at;
    double most;
    bool is_real; /* a double; else a uint64_t */
} Key;

#define SHARE(member) offsetof(OnboardShare, member)
#define MANY 1099511627776.0 /* 2^40 */

static const Key share_keys[] = {
    { "cycles", SHARE(cycles), MANY, false },
    { "busy.cube", SHARE(cube), 100, true },
    { "busy.vec", SHARE(vec), 100, true },
    { "busy.scalar", SHARE(scalar), 100, true },
    { "busy.mte1", SHARE(mte1), 100, true },
    { "busy.mte2", SHARE(mte2), 100, true },
    { "busy.mte3", SHARE(mte3), 100, true },
    { "busy.fixp", SHARE(fixp), 100, true },
    { "bytes.gm_l1", SHARE(gm_l1), MANY, false },
    { "bytes.l1_l0a", SHARE(l1_l0a), MANY, false },
    { "bytes.l1_l0b", SHARE(l1_l0b), MANY, false },
    { "bytes.l0c_gm", SHARE(l0c_gm), MANY, false },
    { "bytes.gm_ub", SHARE(gm_ub), MANY, false },
    { "bytes.ub_gm", SHARE(ub_gm), MANY, false },
    { "bytes.ub_read", SHARE(ub_read), MANY, false },
    { "bytes.ub_write", SHARE(ub_write), MANY, false },
    { "steps.cube", SHARE(cube_steps), MANY, false },
    { "steps.vec", SHARE(vec_steps), MANY, false },
    { "l2_hit", SHARE(l2_hit), 100, true },
};

static const Key launch_keys[] = {
    { "duration_us", offsetof(OnboardLaunch, duration_us), 1e9, true },
    { "spread", offsetof(OnboardLaunch, spread), 100, true },
};

/* NULL: none of the keys. */
static const Key *find_key(const Key *keys, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool set_key(const Key *key, void *members, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    const uint64_t count = (uint64_t) value;

    if (key == NULL || end == text || *end != '\0' || !(value >= 0 && value <= key->most) ||
        (!key->is_real && trunc(value) < value)) {
        return false;
    }
    if (key->is_real) {
        memcpy((char *) members + key->at, &value, sizeof value);
    } else {
        memcpy((char *) members + key->at, &count, sizeof count);
    }
    return true;
}

static bool take_pair(OnboardLaunch *launch, const char *name, const char *value)
{
    static const char *const cores[ONBOARD_CORES] = { "cube.", "vector." };

    for (int core = 0; core < ONBOARD_CORES; core++) {
        const size_t length = strlen(cores[core]);
        if (strncmp(name, cores[core], length) == 0) {
            return set_key(
                find_key(share_keys, sizeof share_keys / sizeof share_keys[0], name + length),
                &launch->shares[core], value);
        }
    }
    return set_key(find_key(launch_keys, sizeof launch_keys / sizeof launch_keys[0], name), launch,
                   value);
}

/* An empty line or a comment is taken as well. */
static bool take_line(OnboardLaunch *launch, char *line)
{
    char name[64], value[64], rest[2];

    line[strcspn(line, "#\r\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0') {
        return true;
    }
    return sscanf(line, " %63[a-z0-9_.] = %63s %1s", name, value, rest) == 2 &&
           take_pair(launch, name, value);
}

bool OnboardDescribe(const char *path, OnboardLaunch *launch)
{
    FILE *file = fopen(path, "r");
    bool is_good = true;
    unsigned number = 0;
    char line[256];

    if (file == NULL) {
        fprintf(stderr, "cannot open '%s': %s\n", path, strerror(errno));
        return false;
    }
    launch->work = ONBOARD_DESCRIBED;
    for (int core = 0; core < ONBOARD_CORES; core++) {
        launch->shares[core] = (OnboardShare){ .l2_hit = 80 };
    }
    while (is_good && fgets(line, sizeof line, file) != NULL) {
        number++;
        is_good = take_line(launch, line);
    }
    fclose(file);
    if (!is_good) {
        fprintf(stderr, "%s:%u: no 'key = value' that a workload has: %s\n", path, number, line);
    }
    return is_good;
}
