/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_FORM_H
#define OPPROF_KIT_FORM_H

/**
 * @file
 * Forms: texts with fields in them that say where in a line, or in a file's name, something is:
 * "[<tick>] <pc> <name>", "tile<core>.log". Chip files state them; docs/chips/chip-files.md
 * describes them. Experimental. [any thread]
 *
 * A language says which fields a form may have, and what each takes. Everything else stands for
 * itself; `<?text>` may be missing. Each byte is looked at once: a field takes as much as it can,
 * and a field that takes everything ends where the text after it first occurs.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most fields of a language. */
#define OPPROF_FORM_FIELDS 16u
/** Most parts of a form: fields, and what stands between them. */
#define OPPROF_FORM_PARTS 32u

/** Kind of a field's text. */
typedef enum OpprofFormKind {
    OPPROF_FORM_DECIMAL = 0,    /**< Decimal digits of a number below 2^64 - 1. */
    OPPROF_FORM_HEX = 1,        /**< Up to 16 hexadecimal digits, with or without 0x. */
    OPPROF_FORM_ADDRESS = 2,    /**< 0x and up to 16 hexadecimal digits, lower-case. */
    OPPROF_FORM_DIGITS = 3,     /**< `least` to `most` decimal digits, whatever they say. */
    OPPROF_FORM_HEX_DIGITS = 4, /**< The same, hexadecimal. */
    OPPROF_FORM_WORD = 5,       /**< Letters, digits, and the bytes of `also`. */
    OPPROF_FORM_REST = 6,       /**< Everything up to the text after it, or to the end. */
    OPPROF_FORM_HERE = 7        /**< Nothing: the place itself. */
} OpprofFormKind;

/** How often a form may have a field. */
typedef enum OpprofFormUse {
    OPPROF_FORM_OPTIONAL = 0, /**< Once or not at all. */
    OPPROF_FORM_REQUIRED = 1, /**< Once. */
    OPPROF_FORM_REPEATED = 2  /**< Any number of times; the value is that of the last. */
} OpprofFormUse;

/** A field. */
typedef struct OpprofFormField {
    const char *name;    /**< "tick" for `<tick>`. */
    OpprofFormKind kind; /**< Kind of its text. */
    OpprofFormUse use;   /**< How often a form may have it. */
    uint32_t least; /**< Fewest bytes; 0: one, or none for DIGITS and HEX_DIGITS. Not for REST. */
    uint32_t most;  /**< Bytes after which it ends, not counting 0x; 0: where another byte comes. */
    const char *also; /**< Of a word: what else it may hold; NULL: nothing. */
    bool is_name;     /**< Of a word: it begins with a letter. */
} OpprofFormField;

/** Fields of a language, all static. */
typedef struct OpprofFormLanguage {
    const OpprofFormField *fields; /**< The fields. */
    uint32_t field_count;          /**< How many, at most OPPROF_FORM_FIELDS. */
    /** A blank stands for any number of blanks, tabs and carriage returns from one on, or for the
     * end. */
    bool has_blanks;
    bool has_wildcards; /**< `*` stands for any bytes, `?` for one. */
} OpprofFormLanguage;

/** The match of a field. */
typedef struct OpprofFormValue {
    const char *text; /**< Within what was matched; NULL: the form has no such field. */
    uint32_t length;  /**< Bytes of `text`. */
    uint64_t number;  /**< Value of the digits. */
} OpprofFormValue;

/** A form of a language. Opaque, immutable. */
typedef struct OpprofForm OpprofForm;

/**
 * Read a form.
 *
 * @param language  Outlives the form.
 * @param text      Copied.
 * @param[out] ret_form  To be given to OpprofFormFree.
 * @return OPPROF_OK; OPPROF_E_DATA with a sentence and the nearest field; OPPROF_E_MEMORY.
 */
OpprofStatus OpprofFormRead(const OpprofFormLanguage *language, const char *text,
                            OpprofForm **ret_form, OpprofError **error);

/** Give a form back. NULL is allowed. */
void OpprofFormFree(OpprofForm *form);

/** The form as it was written. Borrowed. */
const char *OpprofFormText(const OpprofForm *form);

/** Whether the form has a `field`, by its index in the language. */
bool OpprofFormHas(const OpprofForm *form, uint32_t field);

/** A part of a form. */
typedef struct OpprofFormPart {
    const OpprofFormField *field; /**< The field; NULL: the part is a text. */
    const char *text;             /**< The text, within the form's; " " for a blank. */
    uint32_t length;              /**< Bytes of the text. */
    bool is_optional;             /**< The text may be missing. */
} OpprofFormPart;

/**
 * Take a form apart, for code that searches a text once for many forms. Returns how many parts.
 *
 * @param[out] ret_parts  OPPROF_FORM_PARTS at most, in order. Borrowed from the form.
 */
uint32_t OpprofFormTakeApart(const OpprofForm *form, OpprofFormPart *ret_parts);

/**
 * Whether a whole `text` of `length` bytes has the form.
 *
 * @param[out] ret_values  One for each field of the language, in its order; undefined if false.
 */
bool OpprofFormMatch(const OpprofForm *form, const char *text, size_t length,
                     OpprofFormValue *ret_values);

/** As OpprofFormMatch, but other `text` may come before and after the form, whose first place
 * counts. Returns where it ends within the text; NULL: it is not there. `ret_values` and `length`
 * are those of OpprofFormMatch. */
const char *OpprofFormFind(const OpprofForm *form, const char *text, size_t length,
                           OpprofFormValue *ret_values);

/**
 * The form with texts for its fields.
 *
 * @param texts  One for each field of the language; NULL is allowed for those that the form does
 *               not have. NULL: "*" for all.
 * @return To be given to free(); NULL without memory.
 */
char *OpprofFormPrint(const OpprofForm *form, const char *const *texts);

#ifdef __cplusplus
}
#endif

#endif
