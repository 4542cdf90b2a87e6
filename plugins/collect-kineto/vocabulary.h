/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_VOCABULARY_H
#define COLLECT_KINETO_VOCABULARY_H

#include "json_text.h"

#include <opprof/status.h>
#include <stdint.h>

/* What events of a category are for. */
typedef enum CategoryUse {
    USE_NOTHING,  /* passed over */
    USE_KERNEL,   /* device work whose class its name tells */
    USE_TRANSFER, /* device work: memory */
    USE_CALL,     /* host calls, some of which launch device work */
    USE_STEP,     /* annotations, some of which are iterations */
    USE_UNTOLD    /* the event has no category: other things tell */
} CategoryUse;

/* Class of device work. */
typedef enum WorkClass {
    WORK_COMPUTATION,
    WORK_COMMUNICATION,
    WORK_MEMORY,
    WORK_CLASSES
} WorkClass;

/* What a host call does. */
typedef enum CallKind {
    CALL_OTHER,  /* it never launches device work */
    CALL_LAUNCH, /* it may */
    CALL_ENQUEUE /* it may, by way of a queue of the device */
} CallKind;

typedef struct CategoryEntry {
    const char *word;
    size_t length;
    CategoryUse use;
} CategoryEntry;

/* A list of words; borrowed. */
typedef struct WordList {
    const char *const *words;
    size_t count;
} WordList;

#define VOCABULARY_CATEGORIES 64u

/* Words by which events are told apart. The words themselves are borrowed. */
typedef struct Vocabulary {
    CategoryEntry categories[VOCABULARY_CATEGORIES];
    uint32_t category_count;
    WordList comm_contains; /* ignoring case */
    WordList comm_prefix;
    WordList mem_prefix;
} Vocabulary;

/* What the lists are when nobody says otherwise; each ends with NULL. */
extern const char *const vocabulary_device_categories[];
extern const char *const vocabulary_comm_contains[];
extern const char *const vocabulary_mem_prefix[];

/* Number of words before the NULL. */
size_t VocabularyCount(const char *const *words);

/* An empty vocabulary with the host's categories. */
void VocabularyInit(Vocabulary *vocabulary);

/* Add a category of device work; OPPROF_E_LIMIT when there are too many. */
OpprofStatus VocabularyAddDevice(Vocabulary *vocabulary, const char *category);

/* The vocabulary that applies when nobody says otherwise. */
void VocabularyInitDefault(Vocabulary *vocabulary);

CategoryUse VocabularyUse(const Vocabulary *vocabulary, JsonText category);

/* Class of a kernel by its name, which need not end with NUL. */
WorkClass VocabularyKernelClass(const Vocabulary *vocabulary, const char *name, size_t length);

/* False if a kernel of that name is certainly no memory work. */
bool VocabularyMayBeTransfer(const Vocabulary *vocabulary, JsonText name);

CallKind VocabularyCallKind(const char *name, size_t length);

/* True for the names of annotations that are iterations. */
bool VocabularyIsStep(const char *name, size_t length);

/*
 * For events without category, as Ascend profilers write them: what the event is, from its name and
 * its `Task Type` (NULL: it has none). `is_connected`: there is a number that ties call and work.
 */
CategoryUse VocabularyUntoldUse(const char *name, size_t length, const JsonText *task_type,
                                bool is_connected, WorkClass *ret_class);

#endif
