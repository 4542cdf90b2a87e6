/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_PROBLEMS_H
#define BASE_PROBLEMS_H

#include <jansson.h>
#include <opprof/error.h>

#define PROBLEMS_KEPT 100
#define PROBLEMS_LINE 4096 /* bytes of a line; longer ones are cut */

/*
 * Mistakes of a pipeline, collected so that all are reported at once. Zero-initialise; any function
 * that checks something takes the list and adds to it. Not shared between threads.
 */
typedef struct Problems {
    char **lines; /* "location: message", in the order found; the first PROBLEMS_KEPT */
    size_t kept;
    size_t count;                   /* all, kept or not */
    bool no_memory;                 /* a line was lost: the list is not to be trusted as empty */
    struct OpprofTextChunk *pieces; /* of ProblemsText */
    OpprofStatus fault; /* what ended the checks and is no mistake; OPPROF_OK: nothing */
    char fault_text[512];
} Problems;

/*
 * Add a mistake at a location such as "/stages/2/params/windw_ms (stage 'roll')"; NULL: the message
 * stands alone. Messages start in lower case and end in a full stop. Control characters become '?',
 * but for a newline with two blanks after it, as the text of an error has it.
 */
void ProblemsAdd(Problems *problems, const char *location, const char *format, ...)
    OPPROF_PRINTF(3, 4);

/*
 * Something failed that is not a mistake of what is checked: it had no memory, or a plugin broke.
 * The list's error is the first such failure, with its status. Needs no memory.
 */
void ProblemsFault(Problems *problems, OpprofStatus status, const char *location,
                   const char *message);

/*
 * Pieces of messages, which last until ProblemsFinish: a printed text, base/key with the key
 * escaped as RFC 6901 wants. Never NULL; without memory they are "", and the list is broken.
 */
const char *ProblemsText(Problems *problems, const char *format, ...) OPPROF_PRINTF(2, 3);
const char *ProblemsPointer(Problems *problems, const char *base, const char *key);

/* Names that are valid somewhere. Borrowed. */
typedef struct NameList {
    const char *title; /* what they are: "Stages" */
    const char *const *names;
    size_t count;
} NameList;

/*
 * Add a wrong name: "<what>. Did you mean 'x'? <title>: a, b, c." with the valid names. NULL names
 * are skipped; costs little once no more will be read.
 */
void ProblemsAddName(Problems *problems, const char *location, const char *what, const char *word,
                     const NameList *valid);

/*
 * The text as a JSON string; NULL: it is not UTF-8, which is added as a mistake of `what` ("the
 * value"), or there is no memory, which is not one.
 */
json_t *ProblemsJsonText(Problems *problems, const char *location, const char *what,
                         const char *text);

/* Bytes of a text to be shown, at most so many, without cutting a character in two. */
size_t ProblemShownLength(const char *text, size_t most);

/* What a JSON value is: "an object", "a text" … */
const char *ProblemJsonKind(const json_t *value);

/* True when the checks ended early, for lack of memory or by a fault: the list is not what is wrong
 * with the document. */
bool ProblemsBroken(const Problems *problems);

/* True when nothing was found wrong. */
bool ProblemsNone(const Problems *problems);

/*
 * The list as one error with status OPPROF_E_ARGUMENT: "<subject> has 3 mistakes:" and each on a
 * line of its own; or what ended the checks. OPPROF_OK and *error untouched when there are none.
 * `subject` is such as "Pipeline 'x.json'".
 */
OpprofStatus ProblemsToError(const Problems *problems, const char *subject, OpprofError **error);
/* The same with another status. */
OpprofStatus ProblemsToErrorAs(const Problems *problems, OpprofStatus status, const char *subject,
                               OpprofError **error);

/* Free the lines and pieces; the list is empty then. */
void ProblemsFinish(Problems *problems);

/* Add the hint "Did you mean 'x'? <title>: a, b, c." to an error about a wrong name. */
void ProblemHint(OpprofError **error, const char *word, const NameList *valid);

/*
 * Texts to be given to free(), or NULL without memory: "a, b, c" ("none" for an empty list; NULL
 * entries are skipped), and what is printed.
 */
char *ProblemNames(const char *const *names, size_t count);
char *ProblemText(const char *format, ...) OPPROF_PRINTF(1, 2);

#endif
