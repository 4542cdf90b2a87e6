/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_JSON_OUT_H
#define OPPROF_KIT_JSON_OUT_H

/**
 * @file
 * Writing JSON piece by piece, into memory or into the blob of a batch. Experimental.
 *
 * @code
 * OpprofJsonOut json = { .text = NULL };
 *
 * OpprofJsonPutRaw(&json, "{");
 * OpprofJsonPutKey(&json, "cycles");
 * OpprofJsonPutU64(&json, 42);
 * OpprofJsonPutRaw(&json, "}");
 * if (json.is_short) { … out of memory … }
 * OpprofJsonOutFinish(&json);
 * @endcode
 *
 * After a failure of memory or size the functions write nothing, so one check at the end is enough.
 * `value` is what is printed; those that write a number check no contract. Numbers are printed as
 * <opprof/text.h> prints them. [owner]
 */

#include <opprof/batch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** JSON being written. Zeroed memory is an empty text in memory. One thread at a time. */
typedef struct OpprofJsonOut {
    char *text;         /**< The written text, without a NUL; in a batch: unused. */
    size_t length;      /**< Bytes written. */
    size_t capacity;    /**< Bytes allocated for `text`. */
    size_t max;         /**< Nothing is written once the text is longer; 0: no limit. */
    OpprofBatch *batch; /**< The batch whose blob is written to; NULL: `text` is. */
    uint32_t start;     /**< Where the text begins in the blob. */
    char last;          /**< Last byte written, or NUL. */
    bool is_full;       /**< `max` was passed: the text is not complete. */
    bool is_short;      /**< Memory ran out: the text is not complete. */
} OpprofJsonOut;

/** A text at the end of a batch's blob, with its `max` as above. Nothing else may add to the blob
 * until the text is complete. */
OpprofJsonOut OpprofJsonOutInBatch(OpprofBatch *batch, size_t max);

/** Place of the text in the blob, as a field of a record of that batch. */
OpprofText OpprofJsonOutText(const OpprofJsonOut *json);

/** True after a failure: nothing more is written. */
static inline bool OpprofJsonOutHasEnded(const OpprofJsonOut *json)
{
    return json->is_full || json->is_short;
}

/** Make the text empty again and keep its memory. Not for texts in batches. */
void OpprofJsonOutClear(OpprofJsonOut *json);

/** Free the memory; the text is empty again. */
void OpprofJsonOutFinish(OpprofJsonOut *json);

/** A NUL-terminated `text` as it is: brackets, or JSON from elsewhere. */
void OpprofJsonPutRaw(OpprofJsonOut *json, const char *text);

/** The `length` bytes of a `text` as they are; NULL if there are none. */
void OpprofJsonPutBytes(OpprofJsonOut *json, const char *text, size_t length);

/** A comma, unless nothing or an opening bracket stands before it. */
void OpprofJsonPutComma(OpprofJsonOut *json);

/** A comma where one is needed, the `key`, which is given without quotes, and a colon. */
void OpprofJsonPutKey(OpprofJsonOut *json, const char *key);

/** The `length` bytes of a `text` as a string in quotes; those that are not UTF-8 become U+FFFD. */
void OpprofJsonPutString(OpprofJsonOut *json, const char *text, size_t length);

/** An unsigned number. */
void OpprofJsonPutU64(OpprofJsonOut *json, uint64_t value);

/** A signed number. */
void OpprofJsonPutI64(OpprofJsonOut *json, int64_t value);

/** The shortest number that reads back to the same double; null if it is not finite. */
void OpprofJsonPutF64(OpprofJsonOut *json, double value);

/** A number with a fixed number of `decimals`, at most 17. */
void OpprofJsonPutFixed(OpprofJsonOut *json, double value, unsigned decimals);

/** "0x…" as a string, with at least `digits` (at most 16) digits. */
void OpprofJsonPutHex(OpprofJsonOut *json, uint64_t value, unsigned digits);

/** An object whose members come in any order and are written in ascending order of their keys.
 * Zeroed memory is an empty one; OpprofJsonMembersEnd writes and frees it. */
typedef struct OpprofJsonMembers {
    struct OpprofJsonPlace *members; /**< Keys, and where their values begin. */
    size_t count;                    /**< Members. */
    size_t capacity;                 /**< Entries allocated for `members`. */
    OpprofJsonOut values;            /**< The values, one after the other. */
    bool is_short;                   /**< Memory ran out. */
} OpprofJsonMembers;

/** Begin a member. Its value is what is written to the result until the next member begins. Returns
 * where to write, borrowed. The `key` is copied. */
OpprofJsonOut *OpprofJsonMember(OpprofJsonMembers *object, const char *key);

/** A member whose `value` is a NUL-terminated string. The `key` is copied. */
void OpprofJsonMemberString(OpprofJsonMembers *object, const char *key, const char *value);

/** Write the object and free it; without memory `json` is short. */
void OpprofJsonMembersEnd(OpprofJsonMembers *object, OpprofJsonOut *json);

#ifdef __cplusplus
}
#endif

#endif
