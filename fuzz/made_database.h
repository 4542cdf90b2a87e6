/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_MADE_DATABASE_H
#define FUZZ_MADE_DATABASE_H

#include <stddef.h>
#include <stdint.h>

/* Makes the file of which the input has the bytes, or the SQL that makes it. Nothing: no file. */
void FuzzMakeDatabase(const char *path, const uint8_t *data, size_t size);

#endif
