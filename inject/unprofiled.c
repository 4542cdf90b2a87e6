/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch functions whose arguments differ between toolkits: they are reported by name and go on as they came, with every
 * register of arguments as it was. Tested by tests/refchip/test_calls.sh.
 */
#include "inject.h"
#include "board.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__) || defined(__aarch64__)

enum { SIMT_ARGS_ARRAY, SIMT_HOST_ARGS, FUNCTIONS };

static const char *const names[FUNCTIONS] = {
    [SIMT_ARGS_ARRAY] = "aclrtLaunchSIMTKernelWithArgsArrayImpl",
    [SIMT_HOST_ARGS] = "aclrtLaunchSIMTKernelWithHostArgsImpl",
};

static void *_Atomic originals[FUNCTIONS];
static atomic_bool is_told[FUNCTIONS];

static AbiError lack_original(void)
{
    return ACL_ERROR_INTERNAL;
}

/* Called below: reports the function, and gives the address to go on at. */
__attribute__((visibility("hidden"), used)) void *UnprofiledLaunch(uint32_t function);

void *UnprofiledLaunch(uint32_t function)
{
    const int saved_errno = errno;
    const char *name = names[function];
    void *original = atomic_load(&originals[function]);

    if (original == NULL) {
        original = OriginalFind(name);
        atomic_store(&originals[function], original);
    }
    if (*CallDepth() == 0 && LaunchIsWatched() && !atomic_exchange(&is_told[function], true)) {
        Note(0, OPPROF_LIVE_INCOMPLETE,
             "launches by %.*s are not profiled: that function's arguments differ between toolkits",
             (int) (strlen(name) - strlen("Impl")), name);
    }
    errno = saved_errno;
    return original != NULL ? original : (void *) lack_original;
}

#define TEXT(x) #x
#define STRING(x) TEXT(x)

#if defined(__x86_64__)
/* Integers in six registers, numbers of vector registers in al, floats in eight; what is on the stack stays there. */
#define GO_ON(name, number)                                                                        \
    __asm__(                                                                                       \
        ".text\n.globl " name "\n.type " name ", @function\n" name ":\n"                           \
        ".cfi_startproc\n endbr64\n"                                                               \
        " pushq %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"                           \
        " movq %rsp, %rbp\n .cfi_def_cfa_register %rbp\n subq $192, %rsp\n"                        \
        " movq %rdi, (%rsp)\n movq %rsi, 8(%rsp)\n movq %rdx, 16(%rsp)\n"                          \
        " movq %rcx, 24(%rsp)\n movq %r8, 32(%rsp)\n movq %r9, 40(%rsp)\n"                         \
        " movq %rax, 48(%rsp)\n"                                                                   \
        " movups %xmm0, 64(%rsp)\n movups %xmm1, 80(%rsp)\n movups %xmm2, 96(%rsp)\n"              \
        " movups %xmm3, 112(%rsp)\n movups %xmm4, 128(%rsp)\n movups %xmm5, 144(%rsp)\n"           \
        " movups %xmm6, 160(%rsp)\n movups %xmm7, 176(%rsp)\n"                                     \
        " movl $" STRING(                                                                          \
            number) ", %edi\n call UnprofiledLaunch\n movq %rax, %r11\n"                           \
                    " movq (%rsp), %rdi\n movq 8(%rsp), %rsi\n movq 16(%rsp), %rdx\n"              \
                    " movq 24(%rsp), %rcx\n movq 32(%rsp), %r8\n movq 40(%rsp), %r9\n"             \
                    " movq 48(%rsp), %rax\n"                                                       \
                    " movups 64(%rsp), %xmm0\n movups 80(%rsp), %xmm1\n movups 96(%rsp), %xmm2\n"  \
                    " movups 112(%rsp), %xmm3\n movups 128(%rsp), %xmm4\n movups 144(%rsp), "      \
                    "%xmm5\n"                                                                      \
                    " movups 160(%rsp), %xmm6\n movups 176(%rsp), %xmm7\n"                         \
                    " leave\n .cfi_def_cfa %rsp, 8\n jmp *%r11\n"                                  \
                    ".cfi_endproc\n.size " name ", . - " name "\n")
#else
/* Integers in x0 to x7, the place of a large result in x8, floats in q0 to q7. */
#define GO_ON(name, number)                                                                        \
    __asm__(                                                                                       \
        ".text\n.globl " name "\n.type " name ", %function\n" name ":\n"                           \
        ".cfi_startproc\n hint #34\n"                                                              \
        " stp x29, x30, [sp, #-224]!\n .cfi_def_cfa_offset 224\n"                                  \
        " .cfi_offset x29, -224\n .cfi_offset x30, -216\n mov x29, sp\n"                           \
        " stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n"                 \
        " stp x6, x7, [sp, #64]\n str x8, [sp, #80]\n"                                             \
        " stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n"               \
        " stp q6, q7, [sp, #192]\n"                                                                \
        " mov w0, #" STRING(                                                                       \
            number) "\n bl UnprofiledLaunch\n mov x16, x0\n"                                       \
                    " ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n"     \
                    " ldp x6, x7, [sp, #64]\n ldr x8, [sp, #80]\n"                                 \
                    " ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n"   \
                    " ldp q6, q7, [sp, #192]\n"                                                    \
                    " ldp x29, x30, [sp], #224\n .cfi_def_cfa_offset 0\n .cfi_restore x29\n"       \
                    " .cfi_restore x30\n br x16\n"                                                 \
                    ".cfi_endproc\n.size " name ", . - " name "\n")
#endif

GO_ON("aclrtLaunchSIMTKernelWithArgsArrayImpl", 0);
GO_ON("aclrtLaunchSIMTKernelWithHostArgsImpl", 1);

#endif
