/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_VOCABULARY_H
#define COLLECT_KINETO_FORMATS_VOCABULARY_H

#include "collect-kineto/text/json_text.h"

#include <opprof/error.h>
#include <stdint.h>
#include <string.h>

/* Purposes of categories of events. */
typedef enum CategoryUse {
    USE_NOTHING,     /* ignored */
    USE_KERNEL,      /* device work whose class its name shows */
    USE_TRANSFER,    /* device work: memory */
    USE_CALL,        /* host calls, some of which launch device work */
    USE_ANNOTATION,  /* annotations, some of which are iterations */
    USE_SHADOW,      /* the same on lanes of devices, repeating those of the host */
    USE_OPERATOR,    /* operators of the framework; with some writers also iterations */
    USE_PYTHON,      /* functions of Python, some of which are modules of the network */
    USE_WAIT,        /* calls or streams that wait for device work */
    USE_FLOW,        /* flows from forward operators to backward ones */
    USE_CALL_FLOW,   /* flows from calls to the work that they launched */
    USE_WORK_FLOW,   /* flows from operators to the work that was launched in them */
    USE_UNEVALUATED, /* what is counted, and nothing else */
    USE_UNTOLD,      /* the event has no category: other members decide */
    USE_UNKNOWN      /* a category that the vocabulary lacks */
} CategoryUse;

/* Class of device work. */
typedef enum WorkClass {
    WORK_COMPUTATION,
    WORK_COMMUNICATION,
    WORK_MEMORY,
    WORK_CLASSES
} WorkClass;

/* Kind of an operator whose work follows from the shapes of its inputs. */
typedef enum ShapeKind {
    SHAPE_NONE,
    SHAPE_PRODUCT,       /* of its first two inputs */
    SHAPE_ADDED_PRODUCT, /* of its second and third, to which the first is added */
    SHAPE_ATTENTION,
    SHAPE_CONVOLUTION,
    SHAPE_ATTENTION_BACKWARD,  /* before its inputs the gradient of its result */
    SHAPE_CONVOLUTION_BACKWARD /* the same; a list says which gradients are wanted */
} ShapeKind;

/* Kind of a host call. */
typedef enum CallKind {
    CALL_OTHER,  /* it never launches device work */
    CALL_LAUNCH, /* it may */
    CALL_ENQUEUE /* it may, through a queue of the device */
} CallKind;

/* The kind among the bits of a call's meaning, and further properties. */
#define CALL_KIND_MASK 3u
#define CALL_BLOCKS 4u      /* it may wait for the device */
#define CALL_WAITS_ALL 8u   /* it waits for all work launched before */
#define CALL_WAITS_SOME 16u /* it waits for work, but its name does not say for which */
#define CALL_LOCKS 32u      /* such calls wait for each other */
#define CALL_BEGINS_CAPTURE 64u
#define CALL_ENDS_CAPTURE 128u
#define CALL_COPIES 256u    /* it copies or fills memory */
#define CALL_ALLOCATES 512u /* it allocates or frees memory */

typedef struct CategoryEntry {
    const char *word;
    size_t length;
    CategoryUse use;
    uint8_t next; /* of those with its length and last letter: place plus 1; 0: none */
} CategoryEntry;

/* A key of an argument that is data. */
typedef struct KeyEntry {
    const char *word;
    size_t length;
    uint32_t list; /* number after LIST_KEY_COLLECTIVE */
} KeyEntry;

/* A list of words, which are borrowed. */
typedef struct WordList {
    const char **words;
    size_t count;
    uint64_t lengths;           /* bit n: a word has n bytes; bit 63: or more */
    bool firsts[UINT8_MAX + 1]; /* a word begins with the letter */
    bool has_empty;             /* which everything begins with */
} WordList;

/* The lists of a vocabulary, see vocabulary.json. */
typedef enum VocabularyList {
    LIST_DEVICE,
    LIST_TRANSFER,
    LIST_CALL,
    LIST_CALL_SUFFIX,
    LIST_ANNOTATION,
    LIST_DEVICE_ANNOTATION,
    LIST_OPERATOR,
    LIST_PYTHON,
    LIST_WAIT,
    LIST_FLOW,
    LIST_CALL_FLOW,
    LIST_WORK_FLOW,
    LIST_UNEVALUATED,
    LIST_IGNORED,
    LIST_COMM_CONTAINS, /* ignoring case */
    LIST_COMM_PREFIX,
    LIST_MEM_PREFIX,
    LIST_MARKS,
    LIST_ENQUEUE,
    LIST_NEVER_LAUNCH,
    LIST_BLOCKING,
    LIST_WAITS_ALL,
    LIST_WAITS_SOME,
    LIST_LOCKING,
    LIST_GRAPH_LAUNCH,
    LIST_BEGINS_CAPTURE,
    LIST_ENDS_CAPTURE,
    LIST_NAME_TAILS,
    LIST_TELLING_FRAMES, /* ignoring case */
    LIST_COPIES,
    LIST_ALLOCATES,
    LIST_STEP_PREFIX,
    LIST_MODULE_PREFIX,
    LIST_COMPUTATION_TASKS,
    LIST_MEMORY_TASKS,
    LIST_COMMUNICATION_TASKS,
    LIST_IDLE_TASKS,
    LIST_IDLE_PARTS, /* ignoring case */
    LIST_CONNECTED_COMM,
    LIST_CONNECTED_LAUNCH,
    LIST_SUMS_PROCESS,
    LIST_COMPUTATION_SUMS,
    LIST_COMMUNICATION_SUMS,
    LIST_DEVICE_PROCESS,
    LIST_DEVICE_THREAD,
    LIST_STEP_THREAD,
    LIST_EVENT_LIMITS,
    LIST_FOREIGN,
    LIST_FORMS,
    LIST_PRODUCT,
    LIST_ADDED_PRODUCT,
    LIST_ATTENTION,
    LIST_CAUSAL_INPUT,
    LIST_CONVOLUTION,
    LIST_ATTENTION_BACKWARD,
    LIST_CONVOLUTION_BACKWARD,
    LIST_KEY_COLLECTIVE, /* this and all below: keys of arguments */
    LIST_KEY_GROUP,
    LIST_KEY_SEQUENCE,
    LIST_KEY_COMMUNICATOR,
    LIST_KEY_IN_ELEMENTS,
    LIST_KEY_OUT_ELEMENTS,
    LIST_KEY_ELEMENT_TYPE,
    LIST_KEY_GROUP_SIZE,
    LIST_KEY_GROUP_RANKS,
    LIST_KEY_SPLIT_SIZES,
    LIST_KEY_OPERATOR,
    LIST_KEY_MODULE,
    VOCABULARY_LISTS
} VocabularyList;

#define VOCABULARY_KEYS ((uint32_t) (VOCABULARY_LISTS - LIST_KEY_COLLECTIVE))

#define VOCABULARY_CATEGORIES 128u
#define VOCABULARY_KEY_WORDS 64u
#define VOCABULARY_CHAINS 64u /* by length and last letter of a category */

struct json_t;

/* Words by which events are classified. */
typedef struct Vocabulary {
    WordList lists[VOCABULARY_LISTS];
    CategoryEntry categories[VOCABULARY_CATEGORIES]; /* made of the first lists */
    uint32_t category_count;
    uint8_t chains[VOCABULARY_CHAINS];   /* the first of each: place plus 1; 0: none */
    KeyEntry keys[VOCABULARY_KEY_WORDS]; /* made of the last lists */
    uint32_t key_count;
    uint64_t key_lengths;        /* bit n: a key has n bytes; bit 63: or more */
    bool reads_host;             /* operators, annotations and modules are wanted */
    bool reads_frames;           /* Python functions are wanted, too */
    bool reads_grids;            /* blocks and threads of kernels are wanted */
    bool reads_path;             /* calls that launch nothing are wanted, and who waits for whom */
    bool reads_shapes;           /* shapes of operators' inputs are wanted */
    struct json_t *documents[2]; /* stores the words of the lists */
} Vocabulary;

/*
 * The vocabulary that comes with the module, with the lists of the file `path` in place of its own.
 *
 * path:  NULL: no file
 * Returns OPPROF_OK, OPPROF_E_IO, OPPROF_E_DATA, OPPROF_E_MEMORY. To be given to VocabularyFinish
 * in any case.
 */
OpprofStatus VocabularyLoad(const char *path, Vocabulary *ret_vocabulary, OpprofError **error);

/* Replace a list by words of the caller's. False without memory. */
bool VocabularyReplace(Vocabulary *vocabulary, VocabularyList list, const char *const *words,
                       size_t count);

/*
 * Make the categories and keys of the lists; call once after VocabularyLoad and the last
 * VocabularyReplace. OPPROF_E_LIMIT if there are over VOCABULARY_CATEGORIES or VOCABULARY_KEY_WORDS
 * of them.
 */
OpprofStatus VocabularySettle(Vocabulary *vocabulary, OpprofError **error);

/* A zeroed one is allowed. */
void VocabularyFinish(Vocabulary *vocabulary);

CategoryUse VocabularyUse(const Vocabulary *vocabulary, JsonText category);

/* Which of the lists of keys has an argument's key, from 0 on; VOCABULARY_KEYS if none. */
static inline uint32_t VocabularyKey(const Vocabulary *vocabulary, const char *key, size_t length)
{
    if ((vocabulary->key_lengths >> (length < 63 ? length : 63) & 1) == 0) {
        return VOCABULARY_KEYS;
    }
    for (uint32_t i = 0; i < vocabulary->key_count; i++) {
        if (vocabulary->keys[i].length == length &&
            memcmp(vocabulary->keys[i].word, key, length) == 0) {
            return vocabulary->keys[i].list;
        }
    }
    return VOCABULARY_KEYS;
}

/* Class of a kernel by its name, which need not end with NUL. */
WorkClass VocabularyKernelClass(const Vocabulary *vocabulary, const char *name, size_t length);

CallKind VocabularyCallKind(const Vocabulary *vocabulary, const char *name, size_t length);

/* CALL_ flags of a call. */
uint16_t VocabularyCallTraits(const Vocabulary *vocabulary, const char *name, size_t length);

/* True for the names of annotations that are iterations. */
bool VocabularyIsStep(const Vocabulary *vocabulary, const char *name, size_t length);

/* True for the names of functions of Python that are modules of the network. */
bool VocabularyIsModule(const Vocabulary *vocabulary, JsonText name);

/* Kind of the operator of that name. */
ShapeKind VocabularyShape(const Vocabulary *vocabulary, JsonText name);

/* Number of the input of an operator that says whether its attention is causal; -1: none. */
int VocabularyCausalInput(const Vocabulary *vocabulary, JsonText name);

/* The name of an annotation without what numbers the call. */
JsonText VocabularyPlainName(const Vocabulary *vocabulary, JsonText name);

/* False if the host's events of that name certainly do not matter. */
bool VocabularyKeepsHost(const Vocabulary *vocabulary, CategoryUse use, JsonText name);

/* True if a text, without its escapes, is a word of a list. */
bool VocabularyHasWord(const WordList *list, JsonText text);

/* True if a word of a list is in a text, ignoring case. */
bool VocabularyHasPart(const WordList *list, JsonText text);

/*
 * For events without category or type of a task, as Ascend profilers write them: their category,
 * from the name. `is_connected`: a number ties call and work.
 */
CategoryUse VocabularyUntoldUse(const Vocabulary *vocabulary, const char *name, size_t length,
                                bool is_connected, WorkClass *ret_class);

/* The text of the vocabulary that comes with the module: vocabulary.json. */
extern const char vocabulary_text[];

#endif
