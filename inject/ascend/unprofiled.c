/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch functions whose arguments differ between toolkits, or say nothing of a kernel: they are
 * reported by name and called with every register of arguments as it was. Tested by
 * tests/inject/test_trampolines.sh and tests/refchip/test_interface.sh.
 */
#include "inject/ascend/ascend.h"
#include "inject/ascend/board.h"
#include "inject/ascend/graphs.h"
#include "inject/ascend/range.h"
#include <errno.h>
#include <stdatomic.h>

#if defined(__x86_64__) || defined(__aarch64__)

enum {
    SIMT_ARGS_ARRAY,
    SIMT_HOST_ARGS,
    FFTS,
    FFTS_FLAG,
    MULTIPLE,
    MULTIPLE_FLAG,
    CPU,
    STARS,
    EX,
    FUNCTIONS
};

#define TOOLKITS "whose arguments differ between toolkits"
#define TASKS "whose tasks only the runtime can read"
#define ON_CPU "on the AI CPU"

static const struct {
    const char *name;
    const char *why;
} functions[FUNCTIONS] = {
    [SIMT_ARGS_ARRAY] = { "aclrtLaunchSIMTKernelWithArgsArrayImpl", TOOLKITS },
    [SIMT_HOST_ARGS] = { "aclrtLaunchSIMTKernelWithHostArgsImpl", TOOLKITS },
    [FFTS] = { "rtFftsPlusTaskLaunch", TASKS },
    [FFTS_FLAG] = { "rtFftsPlusTaskLaunchWithFlag", TASKS },
    [MULTIPLE] = { "rtMultipleTaskInfoLaunch", TASKS },
    [MULTIPLE_FLAG] = { "rtMultipleTaskInfoLaunchWithFlag", TASKS },
    [CPU] = { "rtsLaunchCpuKernel", ON_CPU },
    [STARS] = { "rtStarsTaskLaunch", TASKS },
    [EX] = { "rtKernelLaunchEx", ON_CPU },
};

static void *_Atomic originals[FUNCTIONS];
static _Thread_local bool is_held __attribute__((tls_model("initial-exec")));

static AbiError lack_original(void)
{
    return ACL_ERROR_INTERNAL;
}

/* Called below: reports the function, masks what it calls itself, and gives its address. */
__attribute__((visibility("hidden"), used)) void *UnprofiledBegin(uint32_t function);
/* The function has returned. */
__attribute__((visibility("hidden"), used)) void UnprofiledEnd(void);

void *UnprofiledBegin(uint32_t function)
{
    const int saved_errno = errno;
    const char *name = functions[function].name;
    void *original = atomic_load(&originals[function]);

    if (original == NULL) {
        original = OriginalFind(name);
        atomic_store(&originals[function], original);
    }
    if (*CallDepth() == 0) {
        Unprofiled("by %.*s, %s", OriginalNameLength(name), name, functions[function].why);
        GraphSpoil("which has tasks that only the runtime can read", true);
        RangeTouch(NULL);
        is_held = WatchHold(); /* it must not meet a launch that is repeated */
    }
    (*CallDepth())++;
    errno = saved_errno;
    return original != NULL ? original : (void *) lack_original;
}

void UnprofiledEnd(void)
{
    (*CallDepth())--;
    if (*CallDepth() == 0) {
        WatchLetGo(is_held);
    }
}

#define TEXT(x) #x
#define STRING(x) TEXT(x)

#if defined(__x86_64__)
/*
 * Integers in six registers, numbers of vector registers in al, floats in eight; 16 words of the
 * stack are copied, twice what the functions are known to take.
 */
#define GO_ON(name, number)                                                                        \
    __asm__(".text\n.globl " name "\n.type " name ", @function\n" name ":\n"                       \
            ".cfi_startproc\n endbr64\n"                                                           \
            " pushq %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"                       \
            " movq %rsp, %rbp\n .cfi_def_cfa_register %rbp\n subq $320, %rsp\n"                    \
            " movq %rdi, 128(%rsp)\n movq %rsi, 136(%rsp)\n movq %rdx, 144(%rsp)\n"                \
            " movq %rcx, 152(%rsp)\n movq %r8, 160(%rsp)\n movq %r9, 168(%rsp)\n"                  \
            " movq %rax, 176(%rsp)\n"                                                              \
            " movups %xmm0, 192(%rsp)\n movups %xmm1, 208(%rsp)\n movups %xmm2, 224(%rsp)\n"       \
            " movups %xmm3, 240(%rsp)\n movups %xmm4, 256(%rsp)\n movups %xmm5, 272(%rsp)\n"       \
            " movups %xmm6, 288(%rsp)\n movups %xmm7, 304(%rsp)\n"                                 \
            " movl $" STRING(                                                                      \
                number) ", %edi\n call UnprofiledBegin\n movq %rax, %r11\n"                        \
                        " movups 16(%rbp), %xmm0\n movups 32(%rbp), %xmm1\n"                       \
                        " movups 48(%rbp), %xmm2\n movups 64(%rbp), %xmm3\n"                       \
                        " movups 80(%rbp), %xmm4\n movups 96(%rbp), %xmm5\n"                       \
                        " movups 112(%rbp), %xmm6\n movups 128(%rbp), %xmm7\n"                     \
                        " movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n"                         \
                        " movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"                       \
                        " movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n"                       \
                        " movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"                      \
                        " movq 128(%rsp), %rdi\n movq 136(%rsp), %rsi\n movq 144(%rsp), %rdx\n"    \
                        " movq 152(%rsp), %rcx\n movq 160(%rsp), %r8\n movq 168(%rsp), %r9\n"      \
                        " movq 176(%rsp), %rax\n"                                                  \
                        " movups 192(%rsp), %xmm0\n movups 208(%rsp), %xmm1\n"                     \
                        " movups 224(%rsp), %xmm2\n movups 240(%rsp), %xmm3\n"                     \
                        " movups 256(%rsp), %xmm4\n movups 272(%rsp), %xmm5\n"                     \
                        " movups 288(%rsp), %xmm6\n movups 304(%rsp), %xmm7\n"                     \
                        " call *%r11\n movq %rax, 128(%rsp)\n movq %rdx, 136(%rsp)\n"              \
                        " call UnprofiledEnd\n movq 128(%rsp), %rax\n movq 136(%rsp), %rdx\n"      \
                        " leave\n .cfi_def_cfa %rsp, 8\n ret\n"                                    \
                        ".cfi_endproc\n.size " name ", . - " name "\n")
#else
/* Integers in x0 to x7, the place of a large result in x8, floats in q0 to q7; of the stack as
 * above. */
#define GO_ON(name, number)                                                                        \
    __asm__(                                                                                       \
        ".text\n.globl " name "\n.type " name ", %function\n" name ":\n"                           \
        ".cfi_startproc\n hint #34\n"                                                              \
        " stp x29, x30, [sp, #-224]!\n .cfi_def_cfa_offset 224\n"                                  \
        " .cfi_offset x29, -224\n .cfi_offset x30, -216\n mov x29, sp\n"                           \
        " .cfi_def_cfa_register x29\n sub sp, sp, #128\n"                                          \
        " stp x0, x1, [x29, #16]\n stp x2, x3, [x29, #32]\n stp x4, x5, [x29, #48]\n"              \
        " stp x6, x7, [x29, #64]\n str x8, [x29, #80]\n"                                           \
        " stp q0, q1, [x29, #96]\n stp q2, q3, [x29, #128]\n stp q4, q5, [x29, #160]\n"            \
        " stp q6, q7, [x29, #192]\n"                                                               \
        " mov w0, #" STRING(                                                                       \
            number) "\n bl UnprofiledBegin\n mov x16, x0\n"                                        \
                    " ldp q0, q1, [x29, #224]\n ldp q2, q3, [x29, #256]\n"                         \
                    " ldp q4, q5, [x29, #288]\n ldp q6, q7, [x29, #320]\n"                         \
                    " stp q0, q1, [sp]\n stp q2, q3, [sp, #32]\n stp q4, q5, [sp, #64]\n"          \
                    " stp q6, q7, [sp, #96]\n"                                                     \
                    " ldp x0, x1, [x29, #16]\n ldp x2, x3, [x29, #32]\n ldp x4, x5, [x29, #48]\n"  \
                    " ldp x6, x7, [x29, #64]\n ldr x8, [x29, #80]\n"                               \
                    " ldp q0, q1, [x29, #96]\n ldp q2, q3, [x29, #128]\n"                          \
                    " ldp q4, q5, [x29, #160]\n ldp q6, q7, [x29, #192]\n"                         \
                    " blr x16\n stp x0, x1, [x29, #16]\n bl UnprofiledEnd\n"                       \
                    " ldp x0, x1, [x29, #16]\n mov sp, x29\n .cfi_def_cfa_register sp\n"           \
                    " ldp x29, x30, [sp], #224\n .cfi_def_cfa_offset 0\n .cfi_restore x29\n"       \
                    " .cfi_restore x30\n ret\n"                                                    \
                    ".cfi_endproc\n.size " name ", . - " name "\n")
#endif

GO_ON("aclrtLaunchSIMTKernelWithArgsArrayImpl", 0);
GO_ON("aclrtLaunchSIMTKernelWithHostArgsImpl", 1);
GO_ON("rtFftsPlusTaskLaunch", 2);
GO_ON("rtFftsPlusTaskLaunchWithFlag", 3);
GO_ON("rtMultipleTaskInfoLaunch", 4);
GO_ON("rtMultipleTaskInfoLaunchWithFlag", 5);
GO_ON("rtsLaunchCpuKernel", 6);
GO_ON("rtStarsTaskLaunch", 7);
GO_ON("rtKernelLaunchEx", 8);

#endif
