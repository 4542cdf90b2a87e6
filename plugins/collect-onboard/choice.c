/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches of a run are wanted. Tested by tests/plugins/collect-onboard/test_choice. */
#include "choice.h"
#include "names.h"

#include <opprof/text.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_MOST 1024u
#define KERNELS_NAMED 5u /* names of existing launches in a message, when none is wanted */

static bool parse_number(const char **at, uint32_t *ret_number)
{
    char *end;

    if (**at < '0' || **at > '9') {
        return false;
    }
    errno = 0;
    const unsigned long number = strtoul(*at, &end, 10);
    *at = end;
    *ret_number = (uint32_t) number;
    return errno == 0 && number < UINT32_MAX;
}

bool OrderRangeParse(const char *text, OrderRange *ret_range)
{
    OrderRange range = { .first = 0 };

    if (!parse_number(&text, &range.first)) {
        return false;
    }
    range.last = range.first;
    if (*text == '-') {
        text++;
        range.last = UINT32_MAX;
        if (*text != '\0' && !parse_number(&text, &range.last)) {
            return false;
        }
    }
    *ret_range = range;
    return *text == '\0' && range.first <= range.last;
}

OpprofStatus LaunchChoiceInit(LaunchChoice *choice, const OpprofParams *params, OpprofError **error)
{
    const size_t count = OpprofParamsCount(params, "launches");

    *choice = (LaunchChoice){ .kernel = OpprofParamsString(params, "kernel") };
    choice->ranges = calloc(count + 1, sizeof *choice->ranges);
    if (choice->ranges == NULL) {
        return OpprofErrorNoMemory(error, "choose launches");
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = OpprofParamsElement(params, "launches", i);

        if (!OrderRangeParse(text, &choice->ranges[choice->range_count++])) {
            OpprofErrorSet(
                error, OPPROF_E_ARGUMENT,
                "Parameter 'launches' has '%s', which is neither a number nor a range of numbers",
                text);
            OpprofErrorHint(error, "Write the numbers of their folders, such as 3,5-9,20-");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

void LaunchChoiceFinish(LaunchChoice *choice)
{
    free(choice->ranges);
    *choice = (LaunchChoice){ .kernel = NULL };
}

bool KernelIsWanted(const char *patterns, const char *name)
{
    char pattern[PATTERN_MOST];

    for (size_t length; *patterns != '\0'; patterns += length + (patterns[length] == '|')) {
        length = strcspn(patterns, "|");
        if (length == 0 || length >= sizeof pattern) {
            continue;
        }
        memcpy(pattern, patterns, length);
        pattern[length] = '\0';
        if (strncmp(name, pattern, length) == 0 || fnmatch(pattern, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool OrderIsWanted(const LaunchChoice *choice, const char *order)
{
    uint32_t number;

    if (choice->range_count == 0) {
        return true;
    }
    if (!parse_number(&order, &number)) {
        return false;
    }
    for (size_t i = 0; i < choice->range_count; i++) {
        if (number >= choice->ranges[i].first && number <= choice->ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* ---- names of launches ---- */

/* "device0/add/3" of a run's launch: its last two folders. */
static const char *part_of(const char *place, unsigned from_end)
{
    const char *at = place + strlen(place);

    for (unsigned slashes = 0; at > place; at--) {
        slashes += at[-1] == '/';
        if (slashes > from_end) {
            break;
        }
    }
    return at;
}

/* Free with free(). NULL: it has none. */
static char *name_of(const Launch *launch)
{
    const char *order = part_of(launch->place, 0);
    const char *kernel = part_of(launch->place, 1);

    if (launch->kernel != NULL) {
        return strdup(launch->kernel);
    }
    return order > kernel ? strndup(kernel, (size_t) (order - kernel - 1))
                          : NamesFact(launch->directory, "name");
}

static bool is_wanted(const LaunchChoice *choice, const Launch *launch)
{
    char *name = choice->kernel == NULL ? NULL : name_of(launch);
    const char *order = launch->order != NULL ? launch->order : part_of(launch->place, 0);
    /* A launch without such a folder has the number 0. */
    const bool has_order = strcmp(launch->place, ".") != 0;
    const bool is_good =
        (choice->kernel == NULL || (name != NULL && KernelIsWanted(choice->kernel, name))) &&
        OrderIsWanted(choice, has_order ? order : "0");

    free(name);
    return is_good;
}

/* ---- choosing ---- */

/* "add, matmul and 3 more"; free with free(). */
static char *list_names(const Launches *launches)
{
    char *named[KERNELS_NAMED] = { NULL };
    char *text = NULL;
    size_t size;
    unsigned count = 0;
    FILE *out = OpprofTextOpen(&text, &size);

    for (size_t i = 0; out != NULL && i < launches->count && count < KERNELS_NAMED; i++) {
        char *name = name_of(&launches->list[i]);
        bool is_new = name != NULL;

        for (unsigned k = 0; is_new && k < count; k++) {
            is_new = strcmp(named[k], name) != 0;
        }
        if (is_new) {
            fprintf(out, "%s%s", count > 0 ? ", " : "", name);
            named[count++] = name;
        } else {
            free(name);
        }
    }
    for (unsigned k = 0; k < count; k++) {
        free(named[k]);
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

static OpprofStatus refuse_choice(const Launches *launches, const LaunchChoice *choice,
                                  const char *input, OpprofError **error)
{
    const bool by_order = choice->range_count > 0;
    char *names = list_names(launches);
    char kernel[160] = "";

    if (choice->kernel != NULL) {
        snprintf(kernel, sizeof kernel, "'kernel' (%.120s)%s", choice->kernel,
                 by_order ? " and " : "");
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                   "None of the %zu launches in '%s' is selected by %s%s", launches->count, input,
                   kernel, by_order ? "'launches'" : "");
    OpprofErrorHint(error, "There are launches of %s", names == NULL ? "other kernels" : names);
    free(names);
    return OPPROF_E_NOT_FOUND;
}

OpprofStatus LaunchesChoose(Launches *launches, const LaunchChoice *choice, const char *input,
                            OpprofError **error)
{
    size_t wanted = 0;
    size_t kept = 0;

    for (size_t i = 0; i < launches->count; i++) {
        wanted += is_wanted(choice, &launches->list[i]);
    }
    if (wanted == 0) {
        return refuse_choice(launches, choice, input, error);
    }
    for (size_t i = 0; i < launches->count; i++) {
        if (is_wanted(choice, &launches->list[i])) {
            launches->list[kept++] = launches->list[i];
        } else {
            LaunchFinish(&launches->list[i]);
        }
    }
    launches->count = kept;
    return OPPROF_OK;
}
