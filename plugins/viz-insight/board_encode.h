/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_BOARD_ENCODE_H
#define VIZ_INSIGHT_BOARD_ENCODE_H

#include "source_encode.h"

/* As EncodeInstructions and EncodeLines, for hot spots that were counted for all cores together. */
void EncodeBoardInstructions(const SourceRows *rows, const SourceShape *shape, OpprofJsonOut *json);
void EncodeBoardLines(const SourceRows *rows, const SourceShape *shape, const SourceFileRows *files,
                      size_t file_count, OpprofJsonOut *json);

/* Content of the block of stall reasons; writes nothing if no thread waited. */
void EncodeStallReasons(const SourceRows *rows, OpprofJsonOut *json);

#endif
