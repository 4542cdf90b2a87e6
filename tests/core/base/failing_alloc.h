/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_BASE_FAILING_ALLOC_H
#define TESTS_CORE_BASE_FAILING_ALLOC_H

/* Lets an allocation of the code under test fail. For programs linked with $(WRAP_ALLOC), as all
 * suites are. */

#include <stdbool.h>
#include <stddef.h>

/* Let the n-th allocation from now on fail, counted from 1. */
void fail_allocation(long n);

/* Ends that; true if the allocation was asked for, and so failed. */
bool has_failed_allocation(void);

/* malloc, for libraries that take another. */
void *__wrap_malloc(size_t size);

#endif
