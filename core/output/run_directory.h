/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTPUT_RUN_DIRECTORY_H
#define OUTPUT_RUN_DIRECTORY_H

#include "output/inputs.h"
#include "output/output.h"

#include <opprof/map.h>
#include <pthread.h>
#include <stdatomic.h>

#define MAX_TRIES 16    /* random names that may be taken already */
#define FILE_LISTS 256u /* so that a path is found among many open files at once */

/* Shared with the files that are in it. */
struct OpprofOutputDirectory {
    /* itself, or what it is a view of; a view has only the next three */
    OpprofOutputDirectory *root;
    OpprofOutputDirectory *next_view;
    const char *owner;
    atomic_ullong written;
    char *path;
    int fd;
    int claim_fd;  /* locked (flock) while the run lasts; -1: not claimed */
    unsigned made; /* of the directories on its path, from the last one */
    bool flat;
    atomic_bool is_abandoned;        /* files of stages take nothing more */
    const OutputLine *_Atomic lines; /* finished files; the first is replaced under the lock */
    pthread_mutex_t lock; /* guards the members below, their links, and the making of directories */
    OpprofOutputFile *files[FILE_LISTS]; /* that are open, by list_of their paths */
    OpprofOutputDirectory *views;
    OutputRecord *finished;
    size_t finished_count;
    size_t finished_capacity;
    size_t open_count;     /* of files, each of which has room kept in finished */
    Inputs inputs;         /* grows only before the run */
    OpprofTextMap cleaned; /* directories whose leftovers were removed, as paths below this one */
};

#endif
