/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a dump directory from its list of work to the stage's ports. Tested by tests/refchip/test_live.sh. */
#include "reader.h"
#include "choices.h"
#include "lacks.h"

void ReaderJoin(Job *job, const OpprofParams *params)
{
    job->left_out = ChoicesHasMetric(params, CHOICES_CONFLICTS) ? NULL : job->work->facts.flags;
}

OpprofStatus ReaderOpen(Job *job, const OpprofParams *params, const ReaderSource *source,
                        OpprofError **error)
{
    const char *dump = source->dump;
    const uint64_t max_file_size = source->max_file_size;
    bool is_guessed = false;
    Work *work = NULL;
    OpprofStatus status = WorkCreate(dump, max_file_size, source->chip, &work, &is_guessed, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = ChoicesCheckMetrics(params, &work->facts, error);
    if (status == OPPROF_OK && ChoicesHasMetric(params, CHOICES_OVERHEAD)) {
        status = WorkFindCcu(work, dump, max_file_size, error);
    }
    if (status == OPPROF_OK && ChoicesHasMetric(params, CHOICES_SAMPLING) &&
        OpprofStageHasReader(job->stage, EMIT_MTE)) {
        status = WorkFindMte(work, dump, max_file_size, error);
        if (status == OPPROF_OK) {
            LacksMte(job->stage, work);
        }
    }
    if (status != OPPROF_OK) {
        WorkDestroy(work);
        return status;
    }
    if (source->core_ids != 0) {
        WorkFilter(work, source->core_ids);
    }
    if (is_guessed) {
        OpprofStageWarn(
            job->stage,
            "The chip is taken to be %s, going by what the dump looks like; --set chip=NAME says "
            "which it is",
            OpprofChipSoc(work->facts.chip));
    }
    job->work = work;
    ReaderJoin(job, params);
    OpprofStageProgress(job->stage, 0, work->bytes, "bytes");
    return OPPROF_OK;
}

/* The next core for this instance, OPPROF_END if there is none. */
static OpprofStatus next_core(Job *job, OpprofError **error)
{
    WorkCore *core = WorkTakeFirst(job->work);
    WorkMte *mte;

    if (core != NULL) {
        return JobStartFirst(job, core, error);
    }
    mte = WorkTakeMte(job->work);
    if (mte != NULL) {
        return JobStartMte(job, mte, error);
    }
    switch (WorkTakeSecond(job->work, &core)) {
    case WORK_CORE:
        return core->pairing != NULL ? JobStartSecond(job, core, error) : OPPROF_OK;
    case WORK_WAIT:
        return OPPROF_OK;
    case WORK_LOST:
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory to name the cores");
    case WORK_NONE:
    default:
        return OPPROF_END;
    }
}

OpprofStatus ReaderStep(Job *job, OpprofError **error)
{
    return job->phase == JOB_IDLE ? next_core(job, error) : JobStep(job, error);
}
