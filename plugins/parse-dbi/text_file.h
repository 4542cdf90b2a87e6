/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_TEXT_FILE_H
#define PARSE_DBI_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A short text file; of a longer one the beginning. */
typedef struct DbiText {
    char bytes[4096];
    size_t length;
    bool is_longer;
} DbiText;

/* A piece of the file. */
void DbiTextTake(DbiText *text, const char *bytes, size_t length);

/* The value of a fact ("soc") of a chip's launch, or of any chip's with "auto"; NULL: missing. */
const char *DbiValueOf(const DbiText *text, const char *chip, const char *fact, size_t *ret_length);

/* Block Dim of a launch, as DbiValueOf finds it; absent: it is missing, 0 or no number. At most ten digits count. */
uint64_t DbiBlockDim(const DbiText *text, const char *chip);

/* Why a text of facts is not whole, to follow its name in a message; NULL: nothing shows it. */
const char *DbiTextFault(const DbiText *text);

/* Hexadecimal address in a text's first line; absent: not an address, or 0. */
uint64_t DbiStartOf(const DbiText *text);

/* Whether it is an address at all, including 0: unknown. */
bool DbiStartIsSaid(const DbiText *text);

#endif
