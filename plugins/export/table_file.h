/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TABLE_FILE_H
#define EXPORT_TABLE_FILE_H

#include <opprof/stage.h>

/*
 * Path of the file of a record, from its type's hint: "<field>" becomes the value of that STRING
 * field, with characters that a path cannot contain replaced by '_'; an absent one disappears with
 * the slash after it. ".csv" is added. Free with free(). NULL without memory. A type without a hint
 * is named after itself.
 */
char *TableFilePath(const OpprofStage *stage, const OpprofRecordType *type, const void *record);

/* The headings of the visible fields as a line. */
OpprofStatus TableFileHead(OpprofOutputFile *file, const OpprofRecordType *type,
                           OpprofError **error);

/* A record as a line. */
OpprofStatus TableFileRow(OpprofOutputFile *file, const OpprofStage *stage,
                          const OpprofBatch *batch, const void *record, OpprofError **error);

/* Texts as a line; NULL means not available. */
OpprofStatus TableFileTexts(OpprofOutputFile *file, const char *const *texts, uint32_t count,
                            OpprofError **error);

#endif
