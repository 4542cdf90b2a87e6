/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refchip-as: assembles the source of a kernel of the reference chip to an ELF file.
 * Tested by tests/refchip/test_operators.sh.
 */
#include "assemble.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (1u << 20)

static char *read_source(const char *path)
{
    FILE *in = fopen(path, "re");
    char *text = malloc(MOST_BYTES + 1);
    size_t size;

    if (in == NULL || text == NULL) {
        fprintf(stderr, "refchip-as: Cannot read '%s': %s\n", path, strerror(errno));
        free(text);
        if (in != NULL) {
            fclose(in);
        }
        return NULL;
    }
    size = fread(text, 1, MOST_BYTES, in);
    text[size] = '\0';
    fclose(in);
    if (size == MOST_BYTES) {
        fprintf(stderr, "refchip-as: '%s' has more than %u bytes\n", path, MOST_BYTES - 1);
        free(text);
        return NULL;
    }
    return text;
}

int main(int argc, char **argv)
{
    AsmCode code;
    AsmError error;
    char *source;
    bool is_good;

    if (argc != 4) {
        fputs("usage: refchip-as SOURCE NAME-IN-DEBUG-INFORMATION OUTPUT\n", stderr);
        return 2;
    }
    source = read_source(argv[1]);
    if (source == NULL) {
        return 1;
    }
    is_good = Assemble(source, &code, &error);
    if (!is_good) {
        fprintf(stderr, "%s:%u: %s\n", argv[1], (unsigned) error.line, error.text);
    } else if (!AsmWriteElf(&code, argv[2], argv[3])) {
        fprintf(stderr, "refchip-as: Cannot write '%s': %s\n", argv[3], strerror(errno));
        is_good = false;
    }
    AsmCodeFinish(&code);
    free(source);
    return is_good ? 0 : 1;
}
