/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_FACTS_H
#define OPPROF_KIT_FACTS_H

/**
 * @file
 * Tables of facts. A table states which members an object of a chip file may have: their kinds,
 * ranges, units and references, and where in a C structure their values go. It checks the chip file
 * and fills the structure. docs/chips/chip-files.md describes it. Experimental.
 *
 * @code
 * typedef struct Area { uint32_t slots; uint64_t gap; } Area;
 * static const OpprofFactField area_fields[] = {
 *     { "slots", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = 65536,
 *     OPPROF_FACT_IN(Area, slots) }, { "gap", OPPROF_FACT_IS_WHOLE, .unit = "bytes",
 *     OPPROF_FACT_IN(Area, gap) }, { NULL },
 * };
 * const OpprofFactTable area_table = { .fields = area_fields, .size = sizeof(Area) };
 * @endcode
 */

#include <opprof/kit/chip.h>
#include <opprof/kit/form.h>
#include <opprof/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a fact may be, and the C type that it fills. */
typedef enum OpprofFactType {
    OPPROF_FACT_IS_END = 0, /**< Ends a table. */
    /** Anything; another table may check it: const OpprofFact *, borrowed from the chip. */
    OPPROF_FACT_IS_ANY = 1,
    OPPROF_FACT_IS_NULL = 2, /**< null. Fills nothing. */
    OPPROF_FACT_IS_TEXT = 3, /**< A text that is not empty: const char *, borrowed from the chip. */
    OPPROF_FACT_IS_BOOL = 4, /**< true or false: bool. */
    OPPROF_FACT_IS_WHOLE = 5, /**< A whole number: an unsigned integer of any width. */
    OPPROF_FACT_IS_REAL = 6,  /**< A number: double. */
    /** A text, one of the names of `from`: const char *, borrowed from the chip. */
    OPPROF_FACT_IS_NAME = 7,
    OPPROF_FACT_IS_CHOICE = 8, /**< The same: its place among these names, an unsigned integer. */
    /** A whole number that is one of the names of `from`: an unsigned integer. */
    OPPROF_FACT_IS_ID = 9,
    OPPROF_FACT_IS_PAIR = 10, /**< Two names of `from` with '>' between them: const char *. */
    OPPROF_FACT_IS_FORM = 11, /**< A form of the language `form`: OpprofForm *, owned. */
    /** A formula over metrics: OpprofFactFormula, borrowed from the chip. */
    OPPROF_FACT_IS_FORMULA = 12,
    /** A formula of whole numbers over the names of `from`, or a whole number: OpprofFactWhole. */
    OPPROF_FACT_IS_COUNT = 13,
    /** A field of a raw record, in an object beside its `size`: OpprofRecordBits. */
    OPPROF_FACT_IS_BITS = 14,
    /** Whole numbers below 64, elements or names of members: uint64_t with a bit for each. */
    OPPROF_FACT_IS_SET = 15,
    /** The members in `of`. Without a place of its own their places are those of the structure
     * around it. */
    OPPROF_FACT_IS_OBJECT = 16,
    OPPROF_FACT_IS_TUPLE = 17, /**< An array with exactly the elements in `of`, as OBJECT. */
    /** An array of `least` to `most` elements as `of`: an array of structures or values. */
    OPPROF_FACT_IS_LIST = 18,
    /** An object with any members, each as `of`: the same. With the name "*": all other members of
     * the object around it. */
    OPPROF_FACT_IS_MAP = 19,
    OPPROF_FACT_IS_CONSTANT = 20 /**< A number in the place of a formula: OpprofFactFormula. */
} OpprofFactType;

#define OPPROF_FACT_REQUIRED 1u /**< Must be there if the object is. */
/** Of the fields of an object with this flag, exactly one is there. */
#define OPPROF_FACT_ONE_OF 2u
/** LIST, MAP: the structure has room for `most` elements itself. */
#define OPPROF_FACT_IN_PLACE 4u
/** FORMULA: "{…}" in the text stands for something else each time; then it is not compiled. */
#define OPPROF_FACT_PATTERN 16u
/** MAP: names are whole numbers from `least` to `most`, without zeros before them. */
#define OPPROF_FACT_NUMBERED 8u

typedef struct OpprofFactReport OpprofFactReport;

/** A formula over metrics, as a chip file states it. */
typedef struct OpprofFactFormula {
    const char *text; /**< To be shown; NULL: it is missing, or a number. */
    /** Borrowed from the chip, which compiles each formula once. To be evaluated by metrics that it
     * was bound to (OpprofMetricsBind). NULL: it is missing, or an OPPROF_FACT_PATTERN. */
    const struct OpprofFormula *formula;
} OpprofFactFormula;

/** A formula of whole numbers, or a number, as a chip file states it. */
typedef struct OpprofFactWhole {
    const char *text; /**< Borrowed from the chip; NULL: it is a number, or missing. */
    uint64_t number;  /**< The number. */
    bool is_there;    /**< It is not missing. */
} OpprofFactWhole;

/** Check what single members cannot show, after they were found right and filled `object`; report
 * it with OpprofFactMistake. False without memory. */
typedef bool OpprofFactCheck(const void *object, OpprofFactReport *report);

/** A member of an object, an element of an array, or the object itself. */
typedef struct OpprofFactField {
    /** Of the member; "*": all others; NULL: of an element, or at the end of a table. */
    const char *name;
    OpprofFactType type; /**< What it may be. */
    uint32_t flags;      /**< OPPROF_FACT_REQUIRED and others. */
    double least;        /**< Smallest number, or fewest elements. */
    /** Largest number, or most elements, members or bytes of a TEXT; 0: what there is room for. */
    double most;
    const char *unit; /**< Of a number; NULL: none. */
    double otherwise; /**< What a missing number fills; -1: the largest that there is room for. */
    /** Names: "'little','big'" or paths, as "pmu.kinds.*.name"; of a MAP those of its members,
     * NULL: any. */
    const char *from;
    /** OBJECT, TUPLE: its fields; LIST, MAP: the one for all elements. */
    const struct OpprofFactField *of;
    const struct OpprofFactField *either; /**< What it may be instead; NULL: nothing. */
    const OpprofFormLanguage *form;       /**< FORM: its language. */
    OpprofFactCheck *check; /**< OBJECT: checks it as a whole; NULL: nothing to check. */
    /** LIST: the elements' member whose texts differ, also without case; NULL: none. */
    const char *unique;
    size_t offset; /**< Where it is in the structure, see OPPROF_FACT_IN. */
    size_t size;   /**< Bytes of it, for LIST and MAP of an element; 0: it fills nothing. */
    size_t count;  /**< LIST, MAP: where in the structure the number of elements is, a uint32_t. */
    /** MAP: where in an element its name is, see OPPROF_FACT_KEY. OBJECT: where the object itself
     * is, see OPPROF_FACT_SELF. */
    size_t key;
    size_t key_size; /**< Bytes of it; 0: it fills nothing. */
} OpprofFactField;

/** The value fills a member of a structure. */
#define OPPROF_FACT_IN(structure, member)                                                          \
    .offset = offsetof(structure, member), .size = sizeof(((structure *) 0)->member)
/** The elements fill an array that belongs to a structure, in which `total` is their number. */
#define OPPROF_FACT_ARRAY(structure, member, total)                                                \
    .offset = offsetof(structure, member), .size = sizeof(((structure *) 0)->member[0]),           \
    .count = offsetof(structure, total)
/** The names of a MAP fill a member of each element: const char *, borrowed from the chip, or a
 * uint32_t if they are NUMBERED. */
#define OPPROF_FACT_KEY(element, member)                                                           \
    .key = offsetof(element, member), .key_size = sizeof(((element *) 0)->member)
/** The object itself fills a member of its structure: const OpprofFact *, borrowed. */
#define OPPROF_FACT_SELF(structure, member)                                                        \
    .key = offsetof(structure, member), .key_size = sizeof(((structure *) 0)->member)
/** A field in place: `.of = OPPROF_FACT_OF(.type = …)`. */
#define OPPROF_FACT_OF(...) (&(const OpprofFactField){ __VA_ARGS__ })

/** The facts at one path. */
struct OpprofFactTable {
    /** Members of the object, ended by one without a type; NULL: it is no object, see `root`. */
    const OpprofFactField *fields;
    const OpprofFactField *root; /**< What is there instead of an object. */
    size_t size;                 /**< Bytes of the structure; 0: it fills nothing. */
    OpprofFactCheck *check;      /**< Checks it as a whole; NULL: nothing to check. */
};

/**
 * Check the facts at a path against a table, and fill a structure with them. A missing object fills
 * what an empty one would, and lacks nothing.
 *
 * @param path   Names of members with dots between ("pmu.records.counters").
 * @param table  Static.
 * @param[out] ret_bound  A structure of the table's size, to be given to OpprofFactsFree; all zero
 *                        if this fails.
 * @return OPPROF_OK; OPPROF_E_DATA with each mistake: file, member, and what is wrong;
 *         OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofFactsBind(const OpprofChip *chip, const char *path, const OpprofFactTable *table,
                             void *ret_bound, OpprofError **error);

/** Free the arrays and forms of what OpprofFactsBind filled, and make `bound` zero. [owner] */
void OpprofFactsFree(const OpprofFactTable *table, void *bound);

/**
 * Report a mistake. Of use in an OpprofFactCheck only.
 *
 * @param member  The member that it is in, with dots between ("counters.count"); NULL: the object.
 * @param format  What is wrong, as printf: "a sentence that begins with a small letter".
 *                [any thread]
 */
void OpprofFactMistake(OpprofFactReport *report, const char *member, const char *format, ...)
    OPPROF_PRINTF(3, 4);

/**
 * For a plugin's `explain`: print what may be stated at a path of its tables
 * ("pmu.records.counters.size"), what the chip states, and where.
 *
 * @param tables  As OpprofPlugin.chip_tables; NULL: those of the kit.
 * @param name    The path.
 * @param out     Open for writing. Borrowed.
 * @return As OpprofChipExplain; an error with OPPROF_E_NOT_FOUND names a near member, or the chip
 *         is unknown. [any thread]
 */
OpprofStatus OpprofFactsExplain(const char *chip, const OpprofChipTable *tables, const char *name,
                                FILE *out, OpprofError **error);

#ifdef __cplusplus
}
#endif

#endif
