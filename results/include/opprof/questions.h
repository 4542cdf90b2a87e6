/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_QUESTIONS_H
#define OPPROF_QUESTIONS_H

/**
 * @file
 * Files with a question in SQL: a head of comment lines, and one SELECT over the tables of a run.
 * A rule is a question whose rows are advice. Experimental.
 *
 * @code
 * -- title: The device waits for the data loader
 * -- todo: More workers, pinned memory, prefetch
 * SELECT …
 * @endcode
 *
 * A line of the head whose first word is of small letters and has a colon behind it is a member;
 * lines that begin with two blanks behind the "--" continue it; all others are comments.
 */

#include <opprof/error.h>
#include <opprof/record.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A member of a head. */
typedef struct OpprofQuestionMember {
    const char *name;  /**< Such as "title". */
    const char *value; /**< Without blanks around it. */
} OpprofQuestionMember;

/** A file. */
typedef struct OpprofQuestion {
    char *name;                    /**< Of the file, without its folder and ".sql". */
    char *path;                    /**< Its path. */
    char *sql;                     /**< All of its text. */
    OpprofQuestionMember *members; /**< `member_count` of them, as the head has them. */
    size_t member_count;           /**< Entries of members. */
    struct OpprofTextMap *words;   /**< For OpprofQuestionNames. */
} OpprofQuestion;

/** Files of several folders. */
typedef struct OpprofQuestions {
    OpprofQuestion *list; /**< `count` of them, by name. */
    size_t count;         /**< Entries of list. */
    size_t capacity;      /**< Entries there is room for. */
} OpprofQuestions;

/** Where files of a kind are, and what their heads may have. */
typedef struct OpprofQuestionKind {
    const char *name;           /**< In messages: "rule". */
    const char *own_path;       /**< Environment variable of the user's folders. */
    const char *installed_path; /**< The one that stands for `installed` in tests. */
    const char *installed;      /**< Folder of opprof's. */
    const char *const *members; /**< Names that a head may have, ended by NULL. */
} OpprofQuestionKind;

/** Rules, of share/opprof/rules and of OPPROF_RULES_PATH. */
extern const OpprofQuestionKind opprof_rules;
/** Queries, of share/opprof/queries and of OPPROF_QUERIES_PATH. */
extern const OpprofQuestionKind opprof_queries;

/**
 * Read a file.
 *
 * @param kind  What it is.
 * @param path  The file. Borrowed.
 * @param questions  Gets the file at its end. Zeroed: empty.
 * @return OPPROF_OK; OPPROF_E_IO; OPPROF_E_DATA: its head is wrong, or it is longer than 1 MiB or
 *         not a text; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofQuestionsRead(const OpprofQuestionKind *kind, const char *path,
                                 OpprofQuestions *questions, OpprofError **error);

/**
 * Read a file, or all files of a folder.
 *
 * @param kind  What they are.
 * @param path  File or folder. Borrowed.
 * @param questions  Gets the files at its end, but for those whose names it has.
 * @return As OpprofQuestionsRead. [any thread]
 */
OpprofStatus OpprofQuestionsReadPath(const OpprofQuestionKind *kind, const char *path,
                                     OpprofQuestions *questions, OpprofError **error);

/**
 * Read all files of a kind: of the user's folders, then of opprof's. Of equal names the first one
 * counts; files that are in the list already come before all.
 *
 * @param kind  What they are.
 * @param questions  Gets the files; sorted by name.
 * @return As OpprofQuestionsRead; a folder that is not there has none. [any thread]
 */
OpprofStatus OpprofQuestionsLoad(const OpprofQuestionKind *kind, OpprofQuestions *questions,
                                 OpprofError **error);

/**
 * The question of a name; NULL: no question has it. Borrowed. [any thread]
 *
 * @param name  The name.
 */
const OpprofQuestion *OpprofQuestionsFind(const OpprofQuestions *questions, const char *name);

/**
 * A member of a head. Borrowed.
 *
 * @param name  The member's name.
 * @return Its value; NULL: the head has none. [any thread]
 */
const char *OpprofQuestionHead(const OpprofQuestion *question, const char *name);

/**
 * Whether the text names a table or a column: as a word of the SQL, in any case, or in quotes as a
 * name. Words of comments and of texts do not count.
 *
 * @param name  Of a table or a column, in the database.
 * @return False: it cannot depend on it. [any thread]
 */
bool OpprofQuestionNames(const OpprofQuestion *question, const char *name);

/**
 * Check that questions fit tables: each column that they name is one of its table. Questions about
 * other tables pass, since a module that is not here may make those.
 *
 * @param types  `count` types of tables. Borrowed.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT: the first question that does not fit is in `error`;
 *         OPPROF_E_IO; OPPROF_E_LOAD: SQLite is not installed; OPPROF_E_MEMORY. [any thread]
 */
OpprofStatus OpprofQuestionsCheck(const OpprofQuestions *questions,
                                  const OpprofRecordType *const *types, size_t count,
                                  OpprofError **error);

/** Free the list's entries; it is empty then. [any thread] */
void OpprofQuestionsFree(OpprofQuestions *questions);

#ifdef __cplusplus
}
#endif

#endif
