/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_ROW_NAMES_H
#define REPORT_ROW_NAMES_H

#include <opprof/map.h>
#include <opprof/stage.h>
#include <stdbool.h>
#include <stddef.h>

#define NAME_PLACE '\x1e' /* in no other part of a name, which has no control characters */
#define LABEL_BYTES 1024u /* of a row's name; longer ones are cut */

/* A text being composed; what does not fit is cut off. */
typedef struct Label {
    char text[LABEL_BYTES];
    size_t length;
} Label;

/* Is the field shown to people? */
bool NameIsShown(const OpprofField *field);
/* The first field with the flag, UINT32_MAX: none. Beyond its fields a table's other types may have
 * more, so the number of fields would not do. */
uint32_t NameFieldWith(const OpprofRecordType *type, uint32_t flag);
/* Append a text, sanitized, after two blanks. */
void NamePutText(Label *label, const char *text, size_t size);
/* What distinguishes rows: visible keys and places in the source, or else all texts. */
void NameMakeKey(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                 const char *record);
/*
 * A row's name for people: its first text, its place in the source, its keys and other texts. Of a
 * row that is a place alone, NAME_PLACE and the whole place follow.
 */
void NameMake(Label *label, const OpprofStage *stage, const OpprofBatch *batch, const char *record);
/* The members that a row is of, peers if `with_peers`. False: all together. */
bool NameMembers(Label *members, const OpprofStage *stage, const OpprofBatch *batch,
                 const char *record, bool with_peers);
/* Members were seen, an empty name is none; the map counts them. False without memory. */
bool NameNoteMembers(OpprofTextMap *seen, const Label *members);
/* Append keys that are not shown, such as those of a launch, but for the member. */
void NamePutHiddenKeys(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record);
/* The launch, and texts of the visible fields, with a NUL after each; NULL without memory. */
char *NameCopyRow(const OpprofStage *stage, const OpprofBatch *batch, const char *record);

#endif
