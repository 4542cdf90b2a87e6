/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classifies events by lists of words; the lists are data, see vocabulary.json.
 * Tested by tests/plugins/collect-kineto/test_vocabulary.
 */
#include "collect-kineto/formats/vocabulary.h"

#include <jansson.h>
#include <opprof/json.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FORMAT_KEY "opprof_vocabulary"
#define FORMAT_VERSION "1.0"

/* The place of each list in the document. */
static const struct {
    const char *section;
    const char *key;
} places[VOCABULARY_LISTS] = {
    [LIST_DEVICE] = { "categories", "device" },
    [LIST_TRANSFER] = { "categories", "transfer" },
    [LIST_CALL] = { "categories", "call" },
    [LIST_CALL_SUFFIX] = { "categories", "call_suffix" },
    [LIST_DEVICE_ANNOTATION] = { "categories", "device_annotation" },
    [LIST_ANNOTATION] = { "categories", "annotation" },
    [LIST_OPERATOR] = { "categories", "operator" },
    [LIST_PYTHON] = { "categories", "python" },
    [LIST_WAIT] = { "categories", "wait" },
    [LIST_FLOW] = { "categories", "forward_backward" },
    [LIST_CALL_FLOW] = { "categories", "call_to_work" },
    [LIST_WORK_FLOW] = { "categories", "operator_to_work" },
    [LIST_UNEVALUATED] = { "categories", "unevaluated" },
    [LIST_IGNORED] = { "categories", "ignored" },
    [LIST_COMM_CONTAINS] = { "kernels", "communication_contains" },
    [LIST_COMM_PREFIX] = { "kernels", "communication_prefix" },
    [LIST_MEM_PREFIX] = { "kernels", "memory_prefix" },
    [LIST_MARKS] = { "kernels", "marks" },
    [LIST_ENQUEUE] = { "calls", "enqueue" },
    [LIST_NEVER_LAUNCH] = { "calls", "never_launch" },
    [LIST_BLOCKING] = { "calls", "blocking" },
    [LIST_WAITS_ALL] = { "calls", "waits_for_all" },
    [LIST_WAITS_SOME] = { "calls", "waits_for_some" },
    [LIST_LOCKING] = { "calls", "locking" },
    [LIST_GRAPH_LAUNCH] = { "calls", "graph_launch" },
    [LIST_BEGINS_CAPTURE] = { "calls", "begins_capture" },
    [LIST_ENDS_CAPTURE] = { "calls", "ends_capture" },
    [LIST_NAME_TAILS] = { "annotations", "tails" },
    [LIST_TELLING_FRAMES] = { "frames", "telling" },
    [LIST_COPIES] = { "calls", "copies_contain" },
    [LIST_ALLOCATES] = { "calls", "allocates_contain" },
    [LIST_STEP_PREFIX] = { "steps", "prefix" },
    [LIST_MODULE_PREFIX] = { "modules", "prefix" },
    [LIST_COMPUTATION_TASKS] = { "uncategorised", "computation_tasks" },
    [LIST_MEMORY_TASKS] = { "uncategorised", "memory_tasks" },
    [LIST_COMMUNICATION_TASKS] = { "uncategorised", "communication_tasks" },
    [LIST_IDLE_TASKS] = { "uncategorised", "idle_tasks" },
    [LIST_IDLE_PARTS] = { "uncategorised", "idle_tasks_contain" },
    [LIST_CONNECTED_COMM] = { "uncategorised", "communication_prefix" },
    [LIST_CONNECTED_LAUNCH] = { "uncategorised", "launch_contains" },
    [LIST_SUMS_PROCESS] = { "uncategorised", "sums_process" },
    [LIST_COMPUTATION_SUMS] = { "uncategorised", "computation_sums" },
    [LIST_COMMUNICATION_SUMS] = { "uncategorised", "communication_sums" },
    [LIST_DEVICE_PROCESS] = { "devices", "process_prefix" },
    [LIST_DEVICE_THREAD] = { "devices", "work_thread_prefix" },
    [LIST_STEP_THREAD] = { "devices", "step_thread_prefix" },
    [LIST_EVENT_LIMITS] = { "devices", "event_limits" },
    [LIST_FOREIGN] = { "forms", "foreign" },
    [LIST_FORMS] = { "forms", "unread" },
    [LIST_PRODUCT] = { "shaped", "product" },
    [LIST_ADDED_PRODUCT] = { "shaped", "added_product" },
    [LIST_ATTENTION] = { "shaped", "attention" },
    [LIST_CAUSAL_INPUT] = { "shaped", "causal_input" },
    [LIST_CONVOLUTION] = { "shaped", "convolution" },
    [LIST_ATTENTION_BACKWARD] = { "shaped", "attention_backward" },
    [LIST_CONVOLUTION_BACKWARD] = { "shaped", "convolution_backward" },
    [LIST_KEY_COLLECTIVE] = { "arguments", "collective" },
    [LIST_KEY_GROUP] = { "arguments", "group" },
    [LIST_KEY_SEQUENCE] = { "arguments", "sequence" },
    [LIST_KEY_COMMUNICATOR] = { "arguments", "communicator" },
    [LIST_KEY_IN_ELEMENTS] = { "arguments", "in_elements" },
    [LIST_KEY_OUT_ELEMENTS] = { "arguments", "out_elements" },
    [LIST_KEY_ELEMENT_TYPE] = { "arguments", "element_type" },
    [LIST_KEY_GROUP_SIZE] = { "arguments", "group_size" },
    [LIST_KEY_GROUP_RANKS] = { "arguments", "group_ranks" },
    [LIST_KEY_SPLIT_SIZES] = { "arguments", "split_sizes" },
    [LIST_KEY_OPERATOR] = { "arguments", "operator" },
    [LIST_KEY_MODULE] = { "arguments", "module" },
};

/* Purposes of the lists' categories. Work of category 'transfer' is searched first. */
static const struct {
    VocabularyList list;
    CategoryUse use;
} uses[] = {
    { LIST_DEVICE, USE_KERNEL },
    { LIST_CALL, USE_CALL },
    { LIST_ANNOTATION, USE_ANNOTATION },
    { LIST_DEVICE_ANNOTATION, USE_SHADOW },
    { LIST_OPERATOR, USE_OPERATOR },
    { LIST_PYTHON, USE_PYTHON },
    { LIST_WAIT, USE_WAIT },
    { LIST_FLOW, USE_FLOW },
    { LIST_CALL_FLOW, USE_CALL_FLOW },
    { LIST_WORK_FLOW, USE_WORK_FLOW },
    { LIST_UNEVALUATED, USE_UNEVALUATED },
    { LIST_IGNORED, USE_NOTHING },
};

/* ---- lists ---- */

static void set_list(Vocabulary *vocabulary, VocabularyList which, const char **words, size_t count)
{
    WordList *list = &vocabulary->lists[which];

    free(list->words);
    *list = (WordList){ .words = words, .count = count };
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(words[i]);

        list->lengths |= UINT64_C(1) << (length < 63 ? length : 63);
        list->firsts[(uint8_t) words[i][0]] = true;
        list->has_empty |= length == 0;
    }
}

bool VocabularyReplace(Vocabulary *vocabulary, VocabularyList list, const char *const *words,
                       size_t count)
{
    const char **copy = calloc(count + 1, sizeof *copy);

    if (copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i] = words[i];
    }
    set_list(vocabulary, list, copy, count);
    return true;
}

static OpprofStatus bad_entry(const char *path, const char *section, const char *key,
                              const char *why, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Cannot use vocabulary '%s': '%s' in '%s' %s", path,
                          key, section, why);
}

static OpprofStatus read_list(Vocabulary *vocabulary, const char *path, VocabularyList list,
                              const json_t *array, OpprofError **error)
{
    const size_t count = json_array_size(array);
    const char **words;

    if (!json_is_array(array)) {
        return bad_entry(path, places[list].section, places[list].key, "is not an array", error);
    }
    words = calloc(count + 1, sizeof *words);
    if (words == NULL) {
        return OpprofErrorNoMemory(error, "read vocabulary '%s'", path);
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = json_string_value(json_array_get(array, i));
        if (words[i] == NULL) {
            free(words);
            return bad_entry(path, places[list].section, places[list].key,
                             "has an element that is not a string", error);
        }
    }
    set_list(vocabulary, list, words, count);
    return OPPROF_OK;
}

/* The list of a key; VOCABULARY_LISTS with an error if none. */
static VocabularyList find_list(const char *path, const char *section, const char *key,
                                OpprofError **error)
{
    const char *keys[VOCABULARY_LISTS];
    const char *nearest;

    for (size_t i = 0; i < VOCABULARY_LISTS; i++) {
        keys[i] = strcmp(places[i].section, section) == 0 ? places[i].key : NULL;
        if (keys[i] != NULL && strcmp(keys[i], key) == 0) {
            return (VocabularyList) i;
        }
    }
    bad_entry(path, section, key, "is not a list of a vocabulary", error);
    nearest = OpprofNearestName(key, keys, VOCABULARY_LISTS);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    }
    return VOCABULARY_LISTS;
}

static OpprofStatus read_section(Vocabulary *vocabulary, const char *path, const char *section,
                                 json_t *object, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const char *key;
    json_t *value;

    if (!json_is_object(object)) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot use vocabulary '%s': '%s' is not an object", path, section);
    }
    json_object_foreach(object, key, value)
    {
        VocabularyList list;

        if (OpprofJsonIsComment(key)) {
            continue;
        }
        list = find_list(path, section, key, error);
        status = list == VOCABULARY_LISTS ? OPPROF_E_DATA
                                          : read_list(vocabulary, path, list, value, error);
        if (status != OPPROF_OK) {
            return status;
        }
    }
    return status;
}

static OpprofStatus read_document(Vocabulary *vocabulary, const char *path, json_t *root,
                                  OpprofError **error)
{
    const char *version = json_string_value(json_object_get(root, FORMAT_KEY));
    OpprofStatus status = OPPROF_OK;
    const char *key;
    json_t *value;

    if (version == NULL || strcmp(version, FORMAT_VERSION) != 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot use vocabulary '%s': '" FORMAT_KEY "' is not \"%s\"", path,
                              FORMAT_VERSION);
    }
    json_object_foreach(root, key, value)
    {
        if (status == OPPROF_OK && !OpprofJsonIsComment(key) && strcmp(key, FORMAT_KEY) != 0) {
            status = read_section(vocabulary, path, key, value, error);
        }
    }
    return status;
}

OpprofStatus VocabularyLoad(const char *path, Vocabulary *ret_vocabulary, OpprofError **error)
{
    static const char own[] = "vocabulary.json";
    OpprofStatus status;

    *ret_vocabulary = (Vocabulary){ .category_count = 0 };
    status = OpprofJsonParse(own, vocabulary_text, strlen(vocabulary_text),
                             &ret_vocabulary->documents[0], error);
    if (status == OPPROF_OK) {
        status = read_document(ret_vocabulary, own, ret_vocabulary->documents[0], error);
    }
    if (status == OPPROF_OK && path != NULL) {
        status = OpprofJsonLoad(path, &ret_vocabulary->documents[1], error);
        if (status == OPPROF_OK) {
            status = read_document(ret_vocabulary, path, ret_vocabulary->documents[1], error);
        }
    }
    return status;
}

static bool has_word(const WordList *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Length and last letter distinguish most categories. */
static inline size_t chain_of(const char *word, size_t length)
{
    const size_t last = length == 0 ? 0 : (unsigned char) word[length - 1];

    return (last + 8 * length) % VOCABULARY_CHAINS;
}

/* From the last one on, so that the first of equal ones is found. */
static void chain_categories(Vocabulary *vocabulary)
{
    memset(vocabulary->chains, 0, sizeof vocabulary->chains);
    for (uint32_t i = vocabulary->category_count; i > 0; i--) {
        CategoryEntry *entry = &vocabulary->categories[i - 1];
        uint8_t *chain = &vocabulary->chains[chain_of(entry->word, entry->length)];

        entry->next = *chain;
        *chain = (uint8_t) i;
    }
}

static OpprofStatus settle_keys(Vocabulary *vocabulary, OpprofError **error)
{
    vocabulary->key_count = 0;
    vocabulary->key_lengths = 0;
    for (uint32_t k = 0; k < VOCABULARY_KEYS; k++) {
        const WordList *list = &vocabulary->lists[LIST_KEY_COLLECTIVE + k];

        for (size_t i = 0; i < list->count; i++) {
            if (vocabulary->key_count == VOCABULARY_KEY_WORDS) {
                return OpprofErrorSet(error, OPPROF_E_LIMIT,
                                      "Cannot use more than %u keys of arguments",
                                      VOCABULARY_KEY_WORDS);
            }
            vocabulary->keys[vocabulary->key_count++] =
                (KeyEntry){ .word = list->words[i], .length = strlen(list->words[i]), .list = k };
        }
        vocabulary->key_lengths |= list->lengths;
    }
    return OPPROF_OK;
}

OpprofStatus VocabularySettle(Vocabulary *vocabulary, OpprofError **error)
{
    vocabulary->category_count = 0;
    for (size_t u = 0; u < OPPROF_COUNT(uses); u++) {
        const WordList *list = &vocabulary->lists[uses[u].list];

        for (size_t i = 0; i < list->count; i++) {
            const char *word = list->words[i];
            const bool is_transfer =
                uses[u].use == USE_KERNEL && has_word(&vocabulary->lists[LIST_TRANSFER], word);

            if (vocabulary->category_count == VOCABULARY_CATEGORIES) {
                return OpprofErrorSet(error, OPPROF_E_LIMIT,
                                      "Cannot use more than %u categories of events",
                                      VOCABULARY_CATEGORIES);
            }
            vocabulary->categories[vocabulary->category_count++] =
                (CategoryEntry){ .word = word,
                                 .length = strlen(word),
                                 .use = is_transfer ? USE_TRANSFER : uses[u].use };
        }
    }
    chain_categories(vocabulary);
    return settle_keys(vocabulary, error);
}

void VocabularyFinish(Vocabulary *vocabulary)
{
    for (size_t i = 0; i < VOCABULARY_LISTS; i++) {
        free(vocabulary->lists[i].words);
    }
    json_decref(vocabulary->documents[0]);
    json_decref(vocabulary->documents[1]);
    *vocabulary = (Vocabulary){ .category_count = 0 };
}

/* ---- words ---- */

/* A category with escapes may be any. */
static CategoryUse escaped_use(const Vocabulary *vocabulary, JsonText category)
{
    for (uint32_t i = 0; i < vocabulary->category_count; i++) {
        const CategoryEntry *entry = &vocabulary->categories[i];

        if (JsonTextIs(category, entry->word, entry->length)) {
            return entry->use;
        }
    }
    return USE_UNKNOWN;
}

static bool ends_with_any(JsonText text, const WordList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(list->words[i]);

        if (text.length > length &&
            memcmp(text.text + text.length - length, list->words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

CategoryUse VocabularyUse(const Vocabulary *vocabulary, JsonText category)
{
    uint32_t place;

    if (category.has_escape) {
        return escaped_use(vocabulary, category);
    }
    for (place = vocabulary->chains[chain_of(category.text, category.length)]; place != 0;
         place = vocabulary->categories[place - 1].next) {
        const CategoryEntry *entry = &vocabulary->categories[place - 1];

        if (JsonTextIs(category, entry->word, entry->length)) {
            return entry->use;
        }
    }
    return ends_with_any(category, &vocabulary->lists[LIST_CALL_SUFFIX]) ? USE_CALL : USE_UNKNOWN;
}

static bool starts_with(const char *name, size_t length, const char *prefix)
{
    const size_t prefix_length = strlen(prefix);

    return length >= prefix_length && memcmp(name, prefix, prefix_length) == 0;
}

/* Ignoring the case of ASCII letters. */
static bool contains(const char *name, size_t length, const char *part)
{
    const size_t part_length = strlen(part);

    for (size_t i = 0; i + part_length <= length; i++) {
        if (strncasecmp(name + i, part, part_length) == 0) {
            return true;
        }
    }
    return false;
}

static bool starts_with_any(const char *name, size_t length, const WordList *list)
{
    if (!list->has_empty && (length == 0 || !list->firsts[(uint8_t) *name])) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (starts_with(name, length, list->words[i])) {
            return true;
        }
    }
    return false;
}

static bool contains_any(const char *name, size_t length, const WordList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (contains(name, length, list->words[i])) {
            return true;
        }
    }
    return false;
}

WorkClass VocabularyKernelClass(const Vocabulary *vocabulary, const char *name, size_t length)
{
    const WordList *lists = vocabulary->lists;

    if (contains_any(name, length, &lists[LIST_COMM_CONTAINS]) ||
        starts_with_any(name, length, &lists[LIST_COMM_PREFIX])) {
        return WORK_COMMUNICATION;
    }
    return starts_with_any(name, length, &lists[LIST_MEM_PREFIX]) ? WORK_MEMORY : WORK_COMPUTATION;
}

CallKind VocabularyCallKind(const Vocabulary *vocabulary, const char *name, size_t length)
{
    const WordList *enqueue = &vocabulary->lists[LIST_ENQUEUE];

    for (size_t i = 0; i < enqueue->count; i++) {
        if (strlen(enqueue->words[i]) == length && memcmp(name, enqueue->words[i], length) == 0) {
            return CALL_ENQUEUE;
        }
    }
    return contains_any(name, length, &vocabulary->lists[LIST_NEVER_LAUNCH]) ? CALL_OTHER
                                                                             : CALL_LAUNCH;
}

bool VocabularyHasWord(const WordList *list, JsonText text)
{
    if (!text.has_escape && (list->lengths >> (text.length < 63 ? text.length : 63) & 1) == 0) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (JsonTextIs(text, list->words[i], strlen(list->words[i]))) {
            return true;
        }
    }
    return false;
}

uint16_t VocabularyCallTraits(const Vocabulary *vocabulary, const char *name, size_t length)
{
    static const struct {
        VocabularyList list;
        uint16_t trait;
    } all[] = { { LIST_BLOCKING, CALL_BLOCKS },
                { LIST_WAITS_ALL, CALL_WAITS_ALL },
                { LIST_WAITS_SOME, CALL_WAITS_SOME },
                { LIST_LOCKING, CALL_LOCKS },
                { LIST_BEGINS_CAPTURE, CALL_BEGINS_CAPTURE },
                { LIST_ENDS_CAPTURE, CALL_ENDS_CAPTURE } };
    const JsonText text = { .text = name, .length = (uint32_t) length };
    uint16_t traits = 0;

    for (size_t i = 0; i < OPPROF_COUNT(all); i++) {
        traits |= VocabularyHasWord(&vocabulary->lists[all[i].list], text) ? all[i].trait : 0;
    }
    traits |= contains_any(name, length, &vocabulary->lists[LIST_COPIES]) ? CALL_COPIES : 0;
    traits |= contains_any(name, length, &vocabulary->lists[LIST_ALLOCATES]) ? CALL_ALLOCATES : 0;
    return traits;
}

bool VocabularyIsStep(const Vocabulary *vocabulary, const char *name, size_t length)
{
    return starts_with_any(name, length, &vocabulary->lists[LIST_STEP_PREFIX]);
}

ShapeKind VocabularyShape(const Vocabulary *vocabulary, JsonText name)
{
    static const struct {
        VocabularyList list;
        ShapeKind kind;
    } kinds[] = { { LIST_PRODUCT, SHAPE_PRODUCT },
                  { LIST_ADDED_PRODUCT, SHAPE_ADDED_PRODUCT },
                  { LIST_ATTENTION, SHAPE_ATTENTION },
                  { LIST_CONVOLUTION, SHAPE_CONVOLUTION },
                  { LIST_ATTENTION_BACKWARD, SHAPE_ATTENTION_BACKWARD },
                  { LIST_CONVOLUTION_BACKWARD, SHAPE_CONVOLUTION_BACKWARD } };

    for (size_t i = 0; vocabulary->reads_shapes && i < OPPROF_COUNT(kinds); i++) {
        if (VocabularyHasWord(&vocabulary->lists[kinds[i].list], name)) {
            return kinds[i].kind;
        }
    }
    return SHAPE_NONE;
}

int VocabularyCausalInput(const Vocabulary *vocabulary, JsonText name)
{
    const WordList *list = &vocabulary->lists[LIST_CAUSAL_INPUT];

    for (size_t i = 0; i < list->count; i++) {
        const char *blank = strrchr(list->words[i], ' ');

        if (blank != NULL && JsonTextIs(name, list->words[i], (size_t) (blank - list->words[i]))) {
            return atoi(blank);
        }
    }
    return -1;
}

JsonText VocabularyPlainName(const Vocabulary *vocabulary, JsonText name)
{
    const WordList *tails = &vocabulary->lists[LIST_NAME_TAILS];

    for (size_t i = 0; i < tails->count && name.length > 0; i++) {
        const char *tail = memmem(name.text, name.length, tails->words[i], strlen(tails->words[i]));

        if (tail != NULL && tail > name.text) {
            name.length = (uint32_t) (tail - name.text);
        }
    }
    return name;
}

bool VocabularyIsModule(const Vocabulary *vocabulary, JsonText name)
{
    return starts_with_any(name.text, name.length, &vocabulary->lists[LIST_MODULE_PREFIX]);
}

bool VocabularyKeepsHost(const Vocabulary *vocabulary, CategoryUse use, JsonText name)
{
    switch (use) {
    case USE_OPERATOR:
        return vocabulary->reads_host || name.has_escape ||
               VocabularyIsStep(vocabulary, name.text, name.length);
    case USE_PYTHON:
        return vocabulary->reads_host &&
               (vocabulary->reads_frames || VocabularyIsModule(vocabulary, name));
    case USE_NOTHING:
    case USE_KERNEL:
    case USE_TRANSFER:
    case USE_CALL:
    case USE_ANNOTATION:
    case USE_SHADOW:
    case USE_WAIT:
    case USE_FLOW:
    case USE_CALL_FLOW:
    case USE_WORK_FLOW:
    case USE_UNEVALUATED:
    case USE_UNTOLD:
    case USE_UNKNOWN:
    default:
        return true;
    }
}

bool VocabularyHasPart(const WordList *list, JsonText text)
{
    return contains_any(text.text, text.length, list);
}

CategoryUse VocabularyUntoldUse(const Vocabulary *vocabulary, const char *name, size_t length,
                                bool is_connected, WorkClass *ret_class)
{
    const WordList *lists = vocabulary->lists;

    if (is_connected && starts_with_any(name, length, &lists[LIST_CONNECTED_COMM])) {
        *ret_class = WORK_COMMUNICATION;
        return USE_KERNEL;
    }
    if (is_connected && contains_any(name, length, &lists[LIST_CONNECTED_LAUNCH])) {
        return USE_CALL;
    }
    return VocabularyIsStep(vocabulary, name, length) ? USE_ANNOTATION : USE_NOTHING;
}
