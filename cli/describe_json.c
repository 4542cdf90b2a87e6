/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of JSON that describe something, for programs. Tested by tests/e2e/inspect.sh. */
#include "describe_json.h"

#include <opprof/json.h>
#include <stdlib.h>

/*
 * An allocation of jansson's failed, here or in what was asked: a member may be missing. Main
 * thread only.
 */
static bool lacks_memory;

/* Where jansson took its memory before. */
static json_malloc_t take_memory;

static void *allocate(size_t size)
{
    void *memory = take_memory(size);

    lacks_memory = lacks_memory || memory == NULL;
    return memory;
}

void DescribeWatchMemory(void)
{
    json_malloc_t take;
    json_free_t give;

    json_get_alloc_funcs(&take, &give);
    if (take != allocate) {
        take_memory = take;
        json_set_alloc_funcs(allocate, give);
    }
}

/* Takes the reference of value. */
void DescribePut(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value != NULL ? value : json_null());
}

void DescribePutText(json_t *object, const char *key, const char *text)
{
    DescribePut(object, key, text != NULL ? json_string(text) : NULL);
}

void DescribePutFlag(json_t *object, const char *key, bool is_set)
{
    DescribePut(object, key, json_boolean(is_set));
}

void DescribeLackMemory(void)
{
    lacks_memory = true;
}

OpprofStatus DescribePrint(json_t *root, FILE *out, OpprofError **error)
{
    char *text = OpprofJsonText(root, JSON_INDENT(2) | JSON_ENSURE_ASCII);

    json_decref(root);
    if (text == NULL || lacks_memory) {
        free(text);
        return OpprofErrorNoMemory(error, "print JSON");
    }
    fprintf(out, "%s\n", text);
    free(text);
    return OPPROF_OK;
}
