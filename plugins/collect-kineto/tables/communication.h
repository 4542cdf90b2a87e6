/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_COMMUNICATION_H
#define COLLECT_KINETO_TABLES_COMMUNICATION_H

/* An Ascend profiler's communication.json as rows of CSV, with the names of fields as headings. */

#include "collect-kineto/text/source.h"

typedef struct CommunicationText {
    char *csv; /* NULL: without memory */
    size_t length;
    char problem[256]; /* "": the document is whole; else the rows before that are there */
} CommunicationText;

/* Reads all of the source. With `links`, a row for each transport of an operator that moved
 * something; else one for each operator. */
CommunicationText CommunicationRead(Source *source, bool links);

#endif
