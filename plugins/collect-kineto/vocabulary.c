/* SPDX-License-Identifier: Apache-2.0 */
#include "vocabulary.h"

#include <string.h>
#include <strings.h>

const char *const vocabulary_device_categories[] = { "kernel",     "Kernel", "gpu_memcpy", "Memcpy",
                                                     "gpu_memset", "Memset", NULL };
const char *const vocabulary_comm_contains[] = { "nccl", "deep_ep", "rccl", NULL };
const char *const vocabulary_mem_prefix[] = { "Memcpy", "Memset", "dma", NULL };

static const CategoryEntry host_categories[] = {
    { "cuda_runtime", sizeof "cuda_runtime" - 1, USE_CALL },
    { "cuda_driver", sizeof "cuda_driver" - 1, USE_CALL },
    { "Runtime", sizeof "Runtime" - 1, USE_CALL },
    { "mtia_runtime", sizeof "mtia_runtime" - 1, USE_CALL },
    { "user_annotation", sizeof "user_annotation" - 1, USE_STEP },
};

/* Of these categories all work is of one class, whatever its name. */
static const char *const transfer_categories[] = { "gpu_memcpy", "Memcpy", "gpu_memset", "Memset" };

/* Calls by which the host puts work into a queue of the device. */
static const char *const enqueue_calls[] = {
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "cuLaunchKernel",
    "cuLaunchKernelEx",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "hipLaunchKernel",
    "hipExtModuleLaunchKernel",
    "hipModuleLaunchKernel",
    "hipMemcpyAsync",
    "hipMemsetAsync",
    "hipMemcpyWithStream",
    "runFunction - job_prep_and_submit_for_execution",
};

/*
 * Parts of the names of calls that never launch work. They outnumber launches in some traces, and a
 * call that is kept costs memory until the end of its trace.
 */
static const char *const idle_calls[] = {
    "Synchronize", "Query",     "EventRecord", "EventCreate", "EventDestroy", "WaitEvent",
    "IsCapturing", "GetDevice", "SetDevice",   "Attribute",   "Occupancy",    "LastError",
    "Malloc",      "Free",      "HostAlloc",   "GetCurrent",  "CaptureInfo",  "ModuleGet",
};

/* Task types of Ascend traces; those of neither list wait or mark, and are no work. */
static const char *const compute_tasks[] = { "AI_CORE", "AI_VECTOR_CORE", "AI_CPU", "AIV_SQE",
                                             "MIX_AIC", "MIX_AIV",        "DSA_SQE" };
static const char *const memory_tasks[] = { "SDMA", "SDMA_SQE", "PCIE_DMA_SQE", "MEMCPY_ASYNC" };

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

size_t VocabularyCount(const char *const *words)
{
    size_t count = 0;

    while (words[count] != NULL) {
        count++;
    }
    return count;
}

void VocabularyInit(Vocabulary *vocabulary)
{
    *vocabulary = (Vocabulary){ .category_count = COUNT_OF(host_categories) };
    memcpy(vocabulary->categories, host_categories, sizeof host_categories);
}

OpprofStatus VocabularyAddDevice(Vocabulary *vocabulary, const char *category)
{
    CategoryUse use = USE_KERNEL;

    if (vocabulary->category_count == VOCABULARY_CATEGORIES) {
        return OPPROF_E_LIMIT;
    }
    for (size_t i = 0; i < COUNT_OF(transfer_categories); i++) {
        if (strcmp(category, transfer_categories[i]) == 0) {
            use = USE_TRANSFER;
        }
    }
    vocabulary->categories[vocabulary->category_count++] =
        (CategoryEntry){ .word = category, .length = strlen(category), .use = use };
    return OPPROF_OK;
}

void VocabularyInitDefault(Vocabulary *vocabulary)
{
    VocabularyInit(vocabulary);
    for (const char *const *word = vocabulary_device_categories; *word != NULL; word++) {
        VocabularyAddDevice(vocabulary, *word);
    }
    vocabulary->comm_contains =
        (WordList){ vocabulary_comm_contains, VocabularyCount(vocabulary_comm_contains) };
    vocabulary->mem_prefix =
        (WordList){ vocabulary_mem_prefix, VocabularyCount(vocabulary_mem_prefix) };
}

CategoryUse VocabularyUse(const Vocabulary *vocabulary, JsonText category)
{
    for (uint32_t i = 0; i < vocabulary->category_count; i++) {
        const CategoryEntry *entry = &vocabulary->categories[i];

        if (JsonTextIs(category, entry->word, entry->length)) {
            return entry->use;
        }
    }
    return USE_NOTHING;
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

static bool starts_with_any(const char *name, size_t length, WordList list)
{
    for (size_t i = 0; i < list.count; i++) {
        if (starts_with(name, length, list.words[i])) {
            return true;
        }
    }
    return false;
}

static bool contains_any(const char *name, size_t length, WordList list)
{
    for (size_t i = 0; i < list.count; i++) {
        if (contains(name, length, list.words[i])) {
            return true;
        }
    }
    return false;
}

WorkClass VocabularyKernelClass(const Vocabulary *vocabulary, const char *name, size_t length)
{
    if (contains_any(name, length, vocabulary->comm_contains) ||
        starts_with_any(name, length, vocabulary->comm_prefix)) {
        return WORK_COMMUNICATION;
    }
    return starts_with_any(name, length, vocabulary->mem_prefix) ? WORK_MEMORY : WORK_COMPUTATION;
}

bool VocabularyMayBeTransfer(const Vocabulary *vocabulary, JsonText name)
{
    return name.has_escape || starts_with_any(name.text, name.length, vocabulary->mem_prefix);
}

CallKind VocabularyCallKind(const char *name, size_t length)
{
    const WordList idle = { idle_calls, COUNT_OF(idle_calls) };

    for (size_t i = 0; i < COUNT_OF(enqueue_calls); i++) {
        if (strlen(enqueue_calls[i]) == length && memcmp(name, enqueue_calls[i], length) == 0) {
            return CALL_ENQUEUE;
        }
    }
    return contains_any(name, length, idle) ? CALL_OTHER : CALL_LAUNCH;
}

bool VocabularyIsStep(const char *name, size_t length)
{
    return starts_with(name, length, "ProfilerStep#") ||
           starts_with(name, length, "ProfilerStep #");
}

static bool is_one_of(JsonText text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (JsonTextIs(text, words[i], strlen(words[i]))) {
            return true;
        }
    }
    return false;
}

CategoryUse VocabularyUntoldUse(const char *name, size_t length, const JsonText *task_type,
                                bool is_connected, WorkClass *ret_class)
{
    if (task_type != NULL) {
        if (is_one_of(*task_type, compute_tasks, COUNT_OF(compute_tasks))) {
            *ret_class = WORK_COMPUTATION;
            return USE_KERNEL;
        }
        if (is_one_of(*task_type, memory_tasks, COUNT_OF(memory_tasks))) {
            *ret_class = WORK_MEMORY;
            return USE_KERNEL;
        }
        return USE_NOTHING;
    }
    if (is_connected && starts_with(name, length, "hcom_")) {
        *ret_class = WORK_COMMUNICATION;
        return USE_KERNEL;
    }
    if (is_connected && contains(name, length, "launch")) {
        return USE_CALL;
    }
    return VocabularyIsStep(name, length) ? USE_STEP : USE_NOTHING;
}
