/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RECORDING_HEX_VIEW_H
#define RECORDING_HEX_VIEW_H

#include <opprof/stage.h>
#include <stdio.h>

/*
 * Print a record byte by byte: offset, bytes, field, value and unit of all fields in the order of
 * their offsets, what no field covers, and then the bytes of its texts, with the fields of elements
 * that are known.
 */
void HexViewPrint(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, uint32_t index);

#endif
