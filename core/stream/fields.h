/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_FIELDS_H
#define STREAM_FIELDS_H

#include <opprof/record.h>

/* Bytes of a field of this kind; 0: there is no such kind. */
uint32_t FieldKindBytes(uint32_t kind);

/* The TEXT field whose bytes elements are; NULL if none. */
const OpprofField *FieldOfElements(const OpprofRecordType *type, const char *name);

#endif
