/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_RAW_NAMES_H
#define OPPROF_KIT_RAW_NAMES_H

/**
 * @file
 * What a chip's raw files are called, and the keys of the file that says what ran: the section
 * `raw` of chip files. `files` has for each role ("info", "counters") a pattern or an array of
 * them, with * and ?, and `<k>` for a number that counts from 1. A pattern with other fields
 * (`core<group>.<core>`), which stand for letters and digits, has no * and ?. `info` has for each
 * `fact` ("name", "soc") its key, and the `separator` between key and value, '=' unless it says
 * otherwise. Experimental. [any thread]
 *
 * Files are read before their chip is known, since one of them names it. Until then the names of
 * all chips hold: `chip` is a SoC, a series, or "auto" for any chip; one that no file serves has no
 * names. Names are made once per process and chip, like the facts themselves, and stay. A `text` of
 * `length` bytes may be NULL when it is empty.
 */

#include <opprof/kit/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read the names, once a process: for the start of collectors and parsers. Without it they are read
 * at the first question, which then has no answer if there is no memory.
 *
 * @return OPPROF_OK, also if no chip has such files; OPPROF_E_MEMORY.
 */
OpprofStatus OpprofRawNamesLoad(const char *chip, OpprofError **error);

/**
 * Role of a file by its name; NULL: none. Borrowed.
 *
 * @param file  Name of the file, without its folder.
 * @param[out] ret_number  What stands for `<k>`; 0 if none. May be NULL.
 */
const char *OpprofRawRole(const char *chip, const char *file, uint32_t *ret_number);

/**
 * What stands for a `field` ("core") of its pattern in the name of a `file`.
 *
 * @param[out] ret_length  Bytes of it, at least 1.
 * @return Within `file`; NULL: the file's pattern has no such field.
 */
const char *OpprofRawField(const char *chip, const char *file, const char *field,
                           size_t *ret_length);

/** The text for a field. */
typedef struct OpprofRawPart {
    const char *field; /**< "core"; "*": each *. */
    const char *text;  /**< "aiv0". */
} OpprofRawPart;

/**
 * Name of a `role`'s file, for writing one: the first pattern, with texts for its fields.
 *
 * @param parts          `count` of them; a field without a text is left as it is.
 * @param[out] ret_name  Of `size` bytes with the NUL; the role itself if no chip has such files.
 */
void OpprofRawFileNameOf(const char *chip, const char *role, const OpprofRawPart *parts,
                         size_t count, char *ret_name, size_t size);

/**
 * Patterns of a `role`'s files, as fnmatch() has them.
 *
 * @param[out] ret_patterns  Borrowed.
 * @return How many; 0: no chip has such files.
 */
size_t OpprofRawPatterns(const char *chip, const char *role, const char *const **ret_patterns);

/**
 * As OpprofRawFileNameOf, with a `number` for `<k>` ("DeviceProf2.bin"), also for messages.
 *
 * @param role           "info", "counters" …
 * @param[out] ret_name  Of `size` bytes with the NUL.
 */
void OpprofRawFileName(const char *chip, const char *role, uint32_t number, char *ret_name,
                       size_t size);

/** How a text states facts: lines of key, separator and value. */
typedef struct OpprofRawForm {
    const OpprofFact *keys; /**< For OpprofRawKey; NULL: no chip has a form. */
    char separator;         /**< Between key and value. */
} OpprofRawForm;

/** The form of a `text` of the role "info": the first of the chips' forms in which it names its
 * SoC, or else the first; `length` 0: the first. */
OpprofRawForm OpprofRawFormOf(const char *chip, const char *text, size_t length);

/** The key of a `fact` ("soc"), NULL if the form has none. Borrowed. */
const char *OpprofRawKey(const OpprofRawForm *form, const char *fact);

/**
 * The value of a `fact` in a text: of the last line that has it. A line has one separator, with
 * text on both sides. A last line without its line feed may have lost digits, and does not count.
 *
 * @param[out] ret_length  Bytes of it, at least 1.
 * @return Within the text; NULL: no line has it.
 */
const char *OpprofRawValue(const OpprofRawForm *form, const char *fact, const char *text,
                           size_t length, size_t *ret_length);

/**
 * Whether the first line of a text is an address: hexadecimal digits, perhaps after 0x.
 *
 * @param[out] ret_address  It, unless false; 0 usually stands for an unknown one.
 */
bool OpprofRawAddress(const char *text, size_t length, uint64_t *ret_address);

#ifdef __cplusplus
}
#endif

#endif
