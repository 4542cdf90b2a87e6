/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_TEXT_FILE_H
#define PARSE_DBI_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A short text file; what is longer is cut. */
typedef struct DbiText {
    char bytes[4096];
    size_t length;
} DbiText;

/* A piece of the file. */
void DbiTextTake(DbiText *text, const char *bytes, size_t length);

/* The value of a fact ("soc") of a chip's launch, or of any with "auto"; NULL: it is not there. */
const char *DbiValueOf(const DbiText *text, const char *chip, const char *fact, size_t *ret_length);

/* Hexadecimal address of a text's first line; absent: it is not one, or 0. */
uint64_t DbiStartOf(const DbiText *text);

/* Whether it is an address at all, be it 0: unknown. */
bool DbiStartIsSaid(const DbiText *text);

#endif
