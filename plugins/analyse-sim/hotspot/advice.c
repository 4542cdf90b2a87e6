/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words the advice on what bounds a core: flags that its busiest pipe waits for, or that pipe's own
 * work.
 * Tested by tests/plugins/analyse-sim/hotspot/test_pipes and tests/refchip/test_advice.sh.
 */
#include "advice.h"

#include <stdio.h>
#include <string.h>

#define TOPIC "pipes"
/* Percent of the core's time. */
#define MUCH_WAITING 10.0
#define MUCH_WORK 70.0
#define PLACE_ROOM 640u /* bytes of the part of a sentence that names an address */

/* ---- finding ---- */

/* Copies a text of the core into the run's strings; false without memory. */
static bool intern(const CorePipes *pipes, const char *text, size_t length, uint32_t *ret_string)
{
    *ret_string = OpprofStageIntern(pipes->stage, text, length);
    return *ret_string != OPPROF_NA_STRING;
}

/* Whose flags: the first operand, if the second one is the waiting pipe. */
static bool find_partner(const CorePipes *pipes, const char *detail, size_t length,
                         uint32_t *ret_partner)
{
    static const char *const forms[][2] = { { "PIPE:", "TRIGGERPIPE:" },
                                            { "pipe_type:", "tigger_pipe:" } };

    for (size_t i = 0; i < OPPROF_COUNT(forms); i++) {
        const size_t first = strlen(forms[i][0]);
        const char *comma = length < first || strncmp(detail, forms[i][0], first) != 0
                                ? NULL
                                : memchr(detail, ',', length);

        if (comma != NULL && memmem(comma, length - (size_t) (comma - detail), forms[i][1],
                                    strlen(forms[i][1])) == comma + 1) {
            return intern(pipes, detail + first, (size_t) (comma - detail) - first, ret_partner);
        }
    }
    return true;
}

static bool add_wait(PipeFinding *finding, const CoreStats *core, const CorePipes *pipes,
                     const PipeStats *pipe)
{
    const PipeWait *wait = CorePipesLongestWait(pipes, pipe);
    const PcStats *pc = wait == NULL ? NULL : CoreStatsPc(core, wait->pc);
    const char *line;

    if (pc == NULL || pc->busy.is_rough) {
        return true;
    }
    finding->wait_ticks = OpprofBusyTimeTotal(&pc->busy);
    if (pc->line_count > 0) {
        line = core->lines[core->line_numbers[pc->first_line]].line->text;
        if (!intern(pipes, line, strlen(line), &finding->line)) {
            return false;
        }
    }
    return pc->detail_length == 0 ||
           find_partner(pipes, CoreStatsDetail(core, pc), pc->detail_length, &finding->wait_pipe);
}

bool PipeFindingConsider(PipeFinding *finding, const CoreStats *core, const CorePipes *pipes)
{
    const PipeStats *pipe = CorePipesBusiest(pipes);
    PipeFinding other = { .core = core->core,
                          .partition = core->partition,
                          .folder = core->folder,
                          .chip = core->chip,
                          .clock = core->clock,
                          .wait_pipe = OPPROF_NA_STRING,
                          .line = OPPROF_NA_STRING };

    if (pipe == NULL) {
        return true;
    }
    other.pipe = pipe->pipe;
    other.duration = pipes->last_end - pipes->first_start;
    other.worked = OpprofBusyTimeTotal(&pipe->worked);
    other.waited = PipeWaited(pipe);
    other.longest = finding->longest > other.duration ? finding->longest : other.duration;
    finding->longest = other.longest;
    if (finding->duration > 0 && (finding->worked > other.worked ||
                                  (finding->worked == other.worked &&
                                   strcmp(OpprofStageString(pipes->stage, finding->core),
                                          OpprofStageString(pipes->stage, other.core)) < 0))) {
        return true;
    }
    *finding = other;
    return add_wait(finding, core, pipes, pipe);
}

/* ---- words ---- */

/* Microseconds with two decimals, rounded half up, as in the tables. */
static double to_us(OpprofStage *stage, uint32_t clock, uint64_t ticks)
{
    const OpprofClock *info = OpprofStageClockInfo(stage, clock);
    const uint64_t hz = info == NULL ? UINT64_C(1000000000) : info->hz;

    return (double) (((unsigned __int128) ticks * 100000000 + hz / 2) / hz) / 100.0;
}

static double percent(uint64_t part, uint64_t whole)
{
    return (double) part * 100.0 / (double) whole;
}

/* ", most for MTE3 at FILE:LINE", as far as known. */
static void write_place(const PipeFinding *finding, OpprofStage *stage, char *place, size_t room)
{
    const char *partner = OpprofStageString(stage, finding->wait_pipe);
    const char *line = OpprofStageString(stage, finding->line);

    place[0] = '\0';
    if (finding->wait_pipe != OPPROF_NA_STRING || finding->line != OPPROF_NA_STRING) {
        const bool has_partner = finding->wait_pipe != OPPROF_NA_STRING;
        const bool has_line = finding->line != OPPROF_NA_STRING;

        snprintf(place, room, ", most%s%s%s%s", has_partner ? " for " : "",
                 has_partner ? partner : "", has_line ? " at " : "", has_line ? line : "");
    }
}

static OpprofStatus advise_buffers(const PipeFinding *finding, OpprofStage *stage, uint32_t port,
                                   const char *numbers)
{
    const char *core = OpprofStageString(stage, finding->core);
    char place[PLACE_ROOM];
    char file[PLACE_ROOM];
    char sentence[PLACE_ROOM * 2];

    write_place(finding, stage, place, sizeof place);
    snprintf(file, sizeof file, "%s/%s_instr_exe.csv", OpprofStageString(stage, finding->partition),
             core);
    snprintf(sentence, sizeof sentence,
             "%s, the busiest pipe, waits for flags %.0f %% of the time%s; double buffering could "
             "save up to %.2f us",
             OpprofStageString(stage, finding->pipe), percent(finding->waited, finding->duration),
             place, to_us(stage, finding->clock, finding->waited));
    return OpprofStageAdvise(
        stage, port, 0,
        &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_HINT,
                             .topic = TOPIC,
                             .subject = OpprofStageString(stage, finding->partition),
                             .sentence = sentence,
                             .numbers = numbers,
                             .file = finding->wait_ticks == 0 ? NULL : file,
                             .column = finding->wait_ticks == 0 ? NULL : "running_time(us)",
                             .unit = finding->wait_ticks == 0 ? NULL : "us",
                             .value = to_us(stage, finding->clock, finding->wait_ticks),
                             .gain = percent(finding->waited, finding->longest) });
}

static OpprofStatus advise_work(const PipeFinding *finding, OpprofStage *stage, uint32_t port,
                                const char *numbers)
{
    const char *folder = OpprofStageString(stage, finding->folder);
    char file[PLACE_ROOM];
    char sentence[PLACE_ROOM];

    snprintf(file, sizeof file, "%s%score_summary.csv", folder, folder[0] == '\0' ? "" : "/");
    snprintf(
        sentence, sizeof sentence,
        "%s, the busiest pipe, works %.0f %% of the time and waits for flags %.0f %%: less work "
        "for it makes the core faster",
        OpprofStageString(stage, finding->pipe), percent(finding->worked, finding->duration),
        percent(finding->waited, finding->duration));
    return OpprofStageAdvise(
        stage, port, 0,
        &(OpprofAdviceText){ .severity = OPPROF_SEVERITY_NOTE,
                             .topic = TOPIC,
                             .subject = OpprofStageString(stage, finding->partition),
                             .sentence = sentence,
                             .numbers = numbers,
                             .file = file,
                             .column = "duration_time(us)",
                             .unit = "us",
                             .value = to_us(stage, finding->clock, finding->duration) });
}

/* What a pipe is for. */
static const char *use_of(const PipeFinding *finding, OpprofStage *stage)
{
    const char *pipe = OpprofStageString(stage, finding->pipe);
    const ChipWords *words = ChipWordsOf(
        finding->chip == OPPROF_NA_STRING ? NULL : OpprofStageString(stage, finding->chip));
    const char *scalar = OpprofFactText(ChipWordsFact(words, "pipes.scalar"));

    if (scalar != NULL && strcmp(pipe, scalar) == 0) {
        return "scalar";
    }
    return strncmp(pipe, "CUBE", 4) == 0 || strncmp(pipe, "VEC", 3) == 0 ? "compute" : "memory";
}

OpprofLaunchRow PipeFindingLaunch(const PipeFinding *finding, OpprofStage *stage)
{
    OpprofLaunchRow row = { .bound = OPPROF_NA_STRING,
                            .busiest = OPPROF_NA_STRING,
                            .busy = OpprofNaF64(),
                            .duration_us = OpprofNaF64(),
                            .share = OpprofNaF64() };

    if (finding->duration > 0) {
        const double busy = percent(finding->worked, finding->duration);
        const char *bound = busy < OPPROF_LAUNCH_BUSY ? "latency" : use_of(finding, stage);

        row.bound = OpprofStageIntern(stage, bound, strlen(bound));
        row.busiest = finding->pipe;
        row.busy = busy;
        row.duration_us = to_us(stage, finding->clock, finding->longest);
    }
    return row;
}

OpprofStatus PipeFindingAdvise(const PipeFinding *finding, OpprofStage *stage, uint32_t port)
{
    char numbers[128];

    if (finding->duration == 0) {
        return OPPROF_OK;
    }
    snprintf(numbers, sizeof numbers, "duration=%.2f us, worked=%.2f us, waited=%.2f us",
             to_us(stage, finding->clock, finding->duration),
             to_us(stage, finding->clock, finding->worked),
             to_us(stage, finding->clock, finding->waited));
    if (percent(finding->waited, finding->duration) >= MUCH_WAITING) {
        return advise_buffers(finding, stage, port, numbers);
    }
    return percent(finding->worked, finding->duration) >= MUCH_WORK
               ? advise_work(finding, stage, port, numbers)
               : OPPROF_OK;
}
