/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions that ours stand before. Tested by tests/refchip/test_injection.sh. */
#include "inject/ascend/ascend.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Where to look when a program has opened its libraries itself, outside of the search order. */
static const char *const libraries[] = { "libruntime_camodel.so", "libruntime.so",
                                         "libacl_rt_impl.so",     "libascendcl_impl.so",
                                         "libascendcl.so",        "libpem_davinci.so" };

/* Keeps the function's library loaded even if the program closes it, because callers keep the
 * address. */
static void *keep(void *function)
{
    Dl_info info = { .dli_fname = NULL };
    void *library = NULL;

    if (function != NULL && dladdr(function, &info) != 0 && info.dli_fname != NULL) {
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
    if (library != NULL) {
        dlclose(library);
    }
    return function;
}

int OriginalNameLength(const char *name)
{
    static const char end[] = "Impl";
    const size_t end_length = sizeof end - 1;
    const size_t length = strlen(name);
    const bool has_end = length > end_length && strcmp(name + length - end_length, end) == 0;

    return (int) (has_end ? length - end_length : length);
}

void *OriginalFind(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && found == NULL; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

        if (library != NULL) {
            found = dlsym(library, name);
            dlclose(library); /* it stays loaded, since its opener still has it */
        }
    }
    return keep(found);
}
