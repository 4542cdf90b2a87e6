/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_INPUTS_H
#define OUTPUT_INPUTS_H

#include <opprof/map.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

typedef struct InputId {
    dev_t device;
    ino_t inode;
} InputId;

/* Inputs of a run, so that no file it writes takes their place. Zeroed memory: none. */
typedef struct Inputs {
    InputId *files;
    size_t count;
    size_t capacity;
    bool holds_input;   /* the output directory is an input itself */
    OpprofTextMap ours; /* then: paths of the files that this or an earlier run wrote there */
} Inputs;

/*
 * Add a file or a directory that is read; what is not there counts as nothing. `directory` is the
 * open output directory. False without memory.
 */
bool InputsAdd(Inputs *inputs, int directory, const char *path);

/* The run itself wrote a file of that path below the output directory. False without memory. */
bool InputsMayReplace(Inputs *inputs, const char *relative);

/* True if the file is one that is read. */
bool InputsHave(const Inputs *inputs, const struct stat *file);

/* Why a file that exists in the output directory, and its path below that, must not be replaced;
 * NULL: it may. */
const char *InputsFault(const Inputs *inputs, const struct stat *file, const char *relative);

void InputsFinish(Inputs *inputs);

#endif
