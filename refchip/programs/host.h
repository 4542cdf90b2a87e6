/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_PROGRAMS_HOST_H
#define REFCHIP_PROGRAMS_HOST_H

/* Shared by the sample programs: options, a kernel, memory of the device, a launch, the end. */

#include "refchip/abi.h"
#include <stdbool.h>

typedef struct HostOptions {
    uint64_t size;      /* each operator says of what */
    bool is_double;     /* two buffers instead of one */
    bool is_simt;       /* vector-add: threads instead of vector instructions */
    const char *launch; /* which launch function; see HostLaunch */
    int32_t device;
    uint32_t repeat;        /* launches */
    uint32_t blocks;        /* cores */
    bool is_relu;           /* matmul: with vector cores after the cube cores */
    bool has_processes;     /* all-gather: one a rank */
    const char *rank_table; /* file that names them; NULL: the first one says */
    const char *kernel;     /* file; NULL: the sample's own */
} HostOptions;

/* Read the command line over the defaults that *options has. False: the
 * program is to end with 2. */
bool HostParse(HostOptions *options, int argc, char **argv);

/* Choose the device, load the kernel file and find the kernel. False: the reason is printed. */
bool HostOpen(const HostOptions *options, const char *name);

/* Memory of the device with a copy of `data`, or zeros for NULL. NULL on failure. */
void *HostUpload(const void *data, size_t size);
bool HostDownload(void *target, const void *memory, size_t size);

/*
 * Launch options->repeat times and wait. options->launch is one of host-args, config, device-args,
 * device-args-v2, binary-data, entry, rt-stub, rt-handle, rt-handle-v2, rt-flag.
 */
bool HostLaunch(const HostOptions *options, const uint64_t *arguments, uint32_t count);

/* Launch once with the arguments on the host, on a stream of the calling thread's device, and do
 * not wait. */
bool HostLaunchOn(const HostOptions *options, uint64_t *arguments, uint32_t count,
                  AbiStream stream);

/* Shape of an operation on this many floats: 8 blocks per repeat, one after the other, for both
 * sources and the result. */
#define HOST_VECTOR_SHAPE(floats)                                                                  \
    ((uint64_t) (floats) / 64 << 56 | UINT64_C(8) << 40 | UINT64_C(8) << 32 | UINT64_C(8) << 24 |  \
     1u << 16 | 1u << 8 | 1u)

/* The exit code after the result was compared: prints "verified", or where it differs. */
int HostEnd(bool is_right, uint64_t place, double got, double wanted);

/* Small whole numbers, so that sums of products are exact. */
float HostNumber(uint64_t place, uint32_t salt);

#endif
