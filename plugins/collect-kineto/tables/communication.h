/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_COMMUNICATION_H
#define COLLECT_KINETO_TABLES_COMMUNICATION_H

/* An Ascend profiler's communication.json as rows of CSV, with the names of fields as headings. */

#include "collect-kineto/tables/table_kinds.h"
#include "collect-kineto/text/source.h"

typedef struct CommunicationText {
    char *csv; /* NULL: without memory */
    size_t length;
    char problem[256]; /* "": the document is whole; else the rows before that are there */
} CommunicationText;

/* Reads all of the source into the rows of a form: TABLE_OPERATORS, TABLE_LINKS, TABLE_PACKETS. */
CommunicationText CommunicationRead(Source *source, TableForm form);

#endif
