/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_KERNEL_FILE_H
#define INJECT_ASCEND_KERNEL_FILE_H

/* A document that describes a kernel and its arguments, as `msprof op --config` takes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_FILE_MOST_ARGUMENTS 64u

typedef enum KernelArgumentKind {
    KERNEL_INPUT = 0, /* filled from a file, or with zeros */
    KERNEL_OUTPUT,
    KERNEL_WORKSPACE,
    KERNEL_TILING /* filled from a file */
} KernelArgumentKind;

/* An argument: the address of memory of the device. */
typedef struct KernelArgument {
    KernelArgumentKind kind;
    uint64_t bytes;
    char *data_path; /* NULL: zeros */
    char *name;      /* or NULL */
} KernelArgument;

typedef struct KernelFile {
    char *kernel_name;
    char *kernel_path;
    uint32_t blocks;
    int32_t device;
    uint32_t magic;
    bool is_on_device; /* mode "onboard", else "ca" */
    bool has_key;
    uint64_t key; /* tiling key */
    KernelArgument arguments[KERNEL_FILE_MOST_ARGUMENTS];
    uint32_t argument_count;
    char why[512]; /* what is wrong with the document */
} KernelFile;

/* Read a document. Relative paths in it are from its own folder. False: file->why says why not.
 * Finish in every case. */
bool KernelFileRead(KernelFile *file, const char *path);
void KernelFileFinish(KernelFile *file);

#endif
