/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_INSTR_SOURCE_H
#define VIZ_INSIGHT_INSTR_SOURCE_H

#include <stddef.h>

/* Room for InstrSourcePut. */
#define INSTR_SOURCE_ROOM(name_length, detail_length) ((name_length) + (detail_length) + 8)

/*
 * How the viewer shows an instruction: its name and operands without values. "SET_FLAG VEC ID:0"
 * and "WAIT_FLAG MTE2 ID:0" name the other pipe and the flag. Returns the end of what was written.
 */
char *InstrSourcePut(char *out, const char *name, size_t name_length, const char *detail,
                     size_t detail_length);

#endif
