/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options of AddressSanitizer for the fuzz targets; those of ASAN_OPTIONS come after them.
 * https://github.com/google/sanitizers/wiki/AddressSanitizerFlags
 */
const char *__asan_default_options(void);

/*
 * The quarantine of freed memory need not hold more than a few runs, since more only costs cache
 * misses. Targets that run pipelines have options of their own in fuzz/quick_runs.c.
 */
__attribute__((used)) const char *__asan_default_options(void)
{
    return "quarantine_size_mb=16:thread_local_quarantine_size_kb=64:malloc_context_size=5";
}
