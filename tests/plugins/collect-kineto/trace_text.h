/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_KINETO_TRACE_TEXT_H
#define TESTS_PLUGINS_COLLECT_KINETO_TRACE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Write a trace as Kineto does, of a size and with so many kernels, each with its call and its
 * arrows. Operators and Python functions of the host fill it up; kernels come after the host's
 * events of a while, as a profiler's buffers do. False if the file cannot be written.
 *
 * ret_host:  operators and functions; NULL: not needed
 */
bool TraceTextWrite(const char *path, uint64_t bytes, uint64_t kernels, uint64_t *ret_host);

/* Kernel time in ns of such a trace: from the first start to the last end. */
uint64_t TraceTextKernelNs(uint64_t kernels);

#endif
