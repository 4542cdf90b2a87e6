/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_RECORDS_H
#define COLLECT_SIM_READ_RECORDS_H

/*
 * A log of a running simulator as its records arrived (opprof/kit/live_records.h), in a file with
 * the name of the dump file and SIM_RECORDS_SUFFIX. The file itself states how its records are
 * printed as lines. It belongs to one run: the next opprof may write another version.
 */

#include "collect-sim/lines/record_line.h"
#include <opprof/error.h>

#define SIM_RECORDS_SUFFIX ".records"
#define SIM_RECORDS_HEAD 2048u /* most bytes before the first record */

/*
 * Make the head of such a file. Batches follow: an OpprofLiveLogs each, and its records. Returns
 * its bytes, at most SIM_RECORDS_HEAD; 0: the forms are too long.
 */
size_t SimRecordsHead(const SimRecordForms *forms, char *head);

/* A file being read. One thread at a time. */
typedef struct SimRecords SimRecords;

/*
 * Open the file of a dump file's path, without the suffix, which is kept for messages.
 *
 * @return OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY; OPPROF_E_DATA: it is another file, or of another
 *         version.
 */
OpprofStatus SimRecordsOpen(const char *path, SimRecords **ret_records, OpprofError **error);

/*
 * The line of the next record, as SimLineReaderNext. Records without a line are skipped.
 *
 * @return OPPROF_OK; OPPROF_END; OPPROF_E_IO; OPPROF_E_DATA: the file ends in the middle of a
 *         record, or is damaged.
 */
OpprofStatus SimRecordsNext(SimRecords *records, const char **ret_line, size_t *ret_length,
                            OpprofError **error);

/* Byte offset in the file of the last record returned. */
uint64_t SimRecordsOffset(const SimRecords *records);
/* Bytes of the file when it was opened. */
uint64_t SimRecordsSize(const SimRecords *records);
/* NULL is allowed. */
void SimRecordsClose(SimRecords *records);

#endif
