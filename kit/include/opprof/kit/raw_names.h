/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_RAW_NAMES_H
#define OPPROF_KIT_RAW_NAMES_H

/**
 * @file
 * What a chip's raw files are called, and the keys of the file that says what ran: the section
 * `raw` of chip files. `files` has for each role ("info", "counters") a pattern or an array of
 * them, with * and ?, and `<k>` for a number that counts from 1. A pattern with other fields
 * (`core<group>.<core>`), which stand for letters and digits, has no * and ?. `info` has for each
 * fact ("name", "soc") its key, and the `separator` between key and value, '=' unless it says
 * otherwise. Experimental while the ABI's major number is 0.
 *
 * Files are read before their chip is known, since one of them names it. Until then the names of
 * all chips hold: "auto". Names are made once per process and chip, like the facts themselves.
 */

#include <opprof/kit/chip.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read the names, once a process. Without it they are read at the first question, which then has no
 * answer if there is no memory: collectors and parsers call it when they start.
 *
 * @param chip   As OpprofRawRole.
 * @param error  As for OpprofErrorSet.
 * @return OPPROF_OK, also if no chip has such files; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofRawNamesLoad(const char *chip, OpprofError **error);

/** What a file is by its name.
 *
 * @param chip  SoC or series; "auto": of any chip. One that no file serves has no names.
 * @param file  Name of the file, without its folder.
 * @param[out] ret_number  What stands for `<k>`; 0 if none. May be NULL.
 * @return The role; NULL: none. Borrowed; it stays until the process ends. [any thread]
 */
const char *OpprofRawRole(const char *chip, const char *file, uint32_t *ret_number);

/**
 * What stands for a field (`<core>`) of its pattern in a file's name.
 *
 * @param chip  As OpprofRawRole.
 * @param field  "core".
 * @param[out] ret_length  Bytes of it, at least 1.
 * @return Within `file`; NULL: the file's pattern has no such field. [any thread]
 */
const char *OpprofRawField(const char *chip, const char *file, const char *field,
                           size_t *ret_length);

/** The text for a field. */
typedef struct OpprofRawPart {
    const char *field; /**< "core". */
    const char *text;  /**< "aiv0". */
} OpprofRawPart;

/**
 * Name of a role's file, for writing one: the first pattern, with these texts for its fields and
 * for all *.
 *
 * @param chip           As OpprofRawRole.
 * @param role           "info", "counters" …
 * @param parts          `count` of them; a field without a text is left as it is. The one of the
 *                       field "*" is for each *.
 * @param[out] ret_name  Of `size` bytes with the NUL; the role itself if no chip has such files.
 *                       [any thread]
 */
void OpprofRawFileNameOf(const char *chip, const char *role, const OpprofRawPart *parts,
                         size_t count, char *ret_name, size_t size);

/**
 * Patterns of a role's files, as fnmatch() has them.
 *
 * @param chip               As OpprofRawRole.
 * @param role               "info", "counters" …
 * @param[out] ret_patterns  Borrowed; they stay until the process ends.
 * @return How many; 0: no chip has such files. [any thread]
 */
size_t OpprofRawPatterns(const char *chip, const char *role, const char *const **ret_patterns);

/**
 * Name of a role's file, for messages and for writing one: the first pattern, with the number for
 * `<k>` ("DeviceProf2.bin").
 *
 * @param chip           As OpprofRawRole.
 * @param role           "info", "counters" …
 * @param number         What stands for `<k>`.
 * @param[out] ret_name  Of `size` bytes with the NUL; the role itself if no chip has such files.
 *                       [any thread]
 */
void OpprofRawFileName(const char *chip, const char *role, uint32_t number, char *ret_name,
                       size_t size);

/** How a text states facts: lines of key, separator and value. */
typedef struct OpprofRawForm {
    const OpprofFact *keys; /**< For OpprofRawKey. */
    char separator;         /**< Between key and value. */
} OpprofRawForm;

/**
 * The form of a text: of the chips' forms the first in which it names its SoC, or else the first.
 *
 * @param chip  As OpprofRawRole.
 * @param text  `length` bytes, the file of the role "info". NULL when `length` is 0.
 * @return The form; without keys if no chip has one. [any thread]
 */
OpprofRawForm OpprofRawFormOf(const char *chip, const char *text, size_t length);

/**
 * The key of a fact ("soc"), NULL if the form has none. Borrowed. [any thread]
 *
 * @param fact  Name of the fact.
 */
const char *OpprofRawKey(const OpprofRawForm *form, const char *fact);

/**
 * The value of a fact in a text: of the last line that has it. A line has one separator, with text
 * on both sides. A last line without its line feed may have lost digits, and does not count.
 *
 * @param fact             Name of the fact.
 * @param text             `length` bytes; may be NULL when `length` is 0. Borrowed.
 * @param[out] ret_length  Bytes of it, at least 1.
 * @return The value within the text, NULL if no line has it. [any thread]
 */
const char *OpprofRawValue(const OpprofRawForm *form, const char *fact, const char *text,
                           size_t length, size_t *ret_length);

/**
 * An address in the first line of a text: hexadecimal digits, perhaps after 0x.
 *
 * @param text              `length` bytes; may be NULL when `length` is 0. Borrowed.
 * @param[out] ret_address  It; untouched if the line is anything else.
 * @return Whether there is one. 0 usually stands for an address that is unknown. [any thread]
 */
bool OpprofRawAddress(const char *text, size_t length, uint64_t *ret_address);

#ifdef __cplusplus
}
#endif

#endif
