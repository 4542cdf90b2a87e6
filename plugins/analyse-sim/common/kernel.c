/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the kernel of a dump: one made before the run, or by the run.
 * Tested by tests/refchip/test_live.sh.
 */
#include "kernel.h"

#include "dump_kernel.h"

#include <opprof/kit/chip.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Kernel {
    OpprofStage *stage;
    KernelOptions options;
    pthread_mutex_t lock; /* guards what follows */
    OpprofSource *source; /* or NULL */
    bool has_opened;      /* the source is open, or the kernel has no source */
};

Kernel *KernelCreate(OpprofStage *stage, const KernelOptions *options)
{
    Kernel *kernel = calloc(1, sizeof *kernel);

    if (kernel != NULL) {
        kernel->stage = stage;
        kernel->options = *options;
        pthread_mutex_init(&kernel->lock, NULL);
    }
    return kernel;
}

static OpprofStatus open_in(Kernel *kernel, const char *dump, const DumpNames *names,
                            OpprofError **error)
{
    const char *path = OpprofParamsString(kernel->options.params, "kernel");
    const char *made = OpprofParamsString(kernel->options.params, "result_dump");
    const char *folder = OpprofStageString(kernel->stage, kernel->options.folder);
    char *below = NULL;
    OpprofStatus status;

    if (dump != NULL || made == NULL) {
        return DumpKernelOpen(path, dump, names, &kernel->source, error);
    }
    if (asprintf(&below, "%s/%s%s%s", OpprofOutputDirectoryPath(OpprofStageOutput(kernel->stage)),
                 folder, folder[0] == '\0' ? "" : "/", made) < 0) {
        return OPPROF_E_MEMORY;
    }
    status = DumpKernelOpen(path, below, &dump_usual_names, &kernel->source, error);
    free(below);
    return status;
}

/* If a chip is named, it says what lies beside its logs; else, and in recordings, names are the
 * usual ones. */
static OpprofStatus open_source(Kernel *kernel, OpprofError **error)
{
    const char *chip = OpprofParamsString(kernel->options.params, "chip");
    DumpNames names = dump_usual_names;
    OpprofChip *its = NULL;

    if (!OpprofChipIsAuto(chip) && OpprofChipLoad(chip, &its, NULL) == OPPROF_OK) {
        const char *file = OpprofChipText(its, "simulator.kernel.file");
        const char *start = OpprofChipText(its, "simulator.kernel.start");
        names.file = file == NULL ? names.file : file;
        names.start = start == NULL ? names.start : start;
    }
    const OpprofStatus status =
        open_in(kernel, OpprofParamsString(kernel->options.params, "dump"), &names, error);
    OpprofChipFree(its);
    return status;
}

/* Without a kernel's lines its instructions are still useful, so this ends nothing. */
static void report_no_lines(const Kernel *kernel, const OpprofError *error)
{
    char *text = OpprofErrorText(error, false);

    OpprofStageIncomplete(kernel->stage, "%s are missing: %s", kernel->options.lacking,
                          text == NULL ? "out of memory" : text);
    free(text);
}

static bool open_first(Kernel *kernel)
{
    OpprofError *why = NULL;
    const OpprofStatus status = open_source(kernel, &why);

    if (status == OPPROF_OK && kernel->options.needs_lines &&
        !OpprofSourceHasLines(kernel->source)) {
        OpprofStageWarn(
            kernel->stage,
            "Kernel '%s' has no debug information, so source lines are missing; compile it "
            "with -g",
            OpprofSourcePath(kernel->source));
    }
    if (status != OPPROF_OK && status != OPPROF_E_NOT_FOUND && status != OPPROF_E_MEMORY) {
        report_no_lines(kernel, why);
    }
    OpprofErrorDestroy(why);
    return status != OPPROF_E_MEMORY;
}

bool KernelLines(Kernel *kernel, OpprofSource **ret_source)
{
    bool ok = true;

    pthread_mutex_lock(&kernel->lock);
    if (!kernel->has_opened) {
        ok = open_first(kernel);
        kernel->has_opened = ok;
    }
    *ret_source = kernel->source;
    pthread_mutex_unlock(&kernel->lock);
    return ok;
}

char *KernelName(const Kernel *kernel)
{
    const char *dump = OpprofParamsString(kernel->options.params, "dump");

    return dump == NULL ? NULL : DumpKernelName(dump);
}

const char *KernelProblem(Kernel *kernel)
{
    const char *problem;

    pthread_mutex_lock(&kernel->lock);
    problem = kernel->source == NULL ? NULL : OpprofSourceProblem(kernel->source);
    pthread_mutex_unlock(&kernel->lock);
    return problem;
}

void KernelDestroy(Kernel *kernel)
{
    if (kernel != NULL) {
        OpprofSourceClose(kernel->source);
        pthread_mutex_destroy(&kernel->lock);
        free(kernel);
    }
}
