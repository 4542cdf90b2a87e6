/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives each launch of a range replay its share of the range's files. Tested by
 * tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "range.h"
#include "names.h"

#include <opprof/kit/chip.h>
#include <opprof/kit/raw_names.h>
#include <opprof/grow.h>
#include <opprof/kit/pmu_facts.h>
#include <opprof/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/kit/live_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY_CHIP "auto"
#define NAME_ROOM 256u
#define MAX_TEXT (16u << 20) /* of the lists of launches and of clocks */
#define MAX_RUNS (1u << 20)
#define BUFFER_BYTES (1u << 20)

/* The part of a record that identifies its task. */
typedef struct Geometry {
    uint32_t size;
    OpprofRecordBits stream;
    OpprofRecordBits task;
} Geometry;

typedef struct Ids {
    uint32_t stream;
    uint32_t task;
} Ids;

/* Consecutive records of one task. */
typedef struct Run {
    Ids ids;
    Extent extent;
    bool is_taken;
} Run;

typedef struct Runs {
    Run *list;
    size_t count;
    size_t capacity;
    uint64_t rest; /* bytes after the last whole record */
} Runs;

typedef struct Range {
    OpprofStage *stage;
    const char *directory;
    const char *place; /* relative to the input, for messages */
    Launch **kernels;  /* in launch order; NULL: not wanted */
    size_t kernel_count;
    size_t kernel_capacity;
    size_t wanted;
    Geometry records;
    Geometry log;
    OpprofError **error;
} Range;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "divide the files of a range");
}

/* ---- runs ---- */

/* Some schedulers move bits of one number into the other, which is marked in bits of the stream. */
static Ids fold(uint32_t stream, uint32_t task)
{
    if ((stream >> 12 & 1) != 0) {
        return (Ids){ .stream = stream & 0x7ff, .task = (task & 0x1fff) | (stream & 0xe000) };
    }
    if ((stream >> 13 & 1) != 0) {
        return (Ids){ .stream = task & 0x0fff, .task = (task & 0xf000) | (stream & 0x0fff) };
    }
    return (Ids){ .stream = stream & 0x7ff, .task = task };
}

static bool is_same(Ids a, Ids b)
{
    return a.stream == b.stream && a.task == b.task;
}

/* Adds a record at this offset; OPPROF_E_LIMIT beyond MAX_RUNS. */
static OpprofStatus add_record(Runs *runs, Ids ids, uint64_t offset, uint32_t size)
{
    Run *last = runs->count == 0 ? NULL : &runs->list[runs->count - 1];

    if (last != NULL && is_same(last->ids, ids)) {
        last->extent.length += size;
        return OPPROF_OK;
    }
    if (runs->count == MAX_RUNS) {
        return OPPROF_E_LIMIT;
    }
    if (!OpprofGrow(&runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list)) {
        return OPPROF_E_MEMORY;
    }
    runs->list[runs->count++] = (Run){ .ids = ids, .extent = { .offset = offset, .length = size } };
    return OPPROF_OK;
}

/* Takes the whole records of a buffer; their size goes to *ret_taken. */
static OpprofStatus add_records(Runs *runs, const Geometry *geometry, const unsigned char *bytes,
                                size_t length, uint64_t offset, size_t *ret_taken)
{
    OpprofStatus status = OPPROF_OK;
    size_t at = 0;

    for (; status == OPPROF_OK && length - at >= geometry->size; at += geometry->size) {
        const Ids ids = fold((uint32_t) OpprofRecordBitsGet(&geometry->stream, bytes + at),
                             (uint32_t) OpprofRecordBitsGet(&geometry->task, bytes + at));
        status = add_record(runs, ids, offset + at, geometry->size);
    }
    *ret_taken = at;
    return status;
}

/* NULL, or the reason why the runs of a file are unknown; *ret_status is OPPROF_E_MEMORY without
 * memory. */
static const char *read_runs(const char *path, const Geometry *geometry, Runs *runs,
                             OpprofStatus *ret_status)
{
    unsigned char *buffer = malloc(BUFFER_BYTES);
    uint64_t size = 0;
    uint64_t offset = 0;
    int reason = 0;
    int fd = -1;

    *ret_status = buffer == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    const char *why = buffer == NULL ? NULL : RawFileOpen(path, &fd, &size, &reason);
    while (fd >= 0 && *ret_status == OPPROF_OK && size - offset >= geometry->size) {
        size_t taken = 0;
        const ssize_t got = RawFileRead(fd, buffer, BUFFER_BYTES, offset);
        if (got < (ssize_t) geometry->size) {
            why = got < 0 ? strerror(errno) : "it became shorter";
            break;
        }
        *ret_status = add_records(runs, geometry, buffer, (size_t) got, offset, &taken);
        offset += taken;
    }
    runs->rest = size - offset;
    if (fd >= 0) {
        close(fd);
    }
    free(buffer);
    return *ret_status == OPPROF_E_LIMIT ? "it changes between tasks too often" : why;
}

/* ---- texts ---- */

/* All of a text file, free with free(); NULL if it cannot be read. */
static char *read_text(const char *directory, const char *name)
{
    char *path = NULL;
    char *text = NULL;
    uint64_t size = 0;
    int reason = 0;
    int fd = -1;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return NULL;
    }
    if (RawFileOpen(path, &fd, &size, &reason) == NULL) {
        size = size < MAX_TEXT ? size : MAX_TEXT;
        text = malloc((size_t) size + 1);
        const ssize_t got = text == NULL ? 0 : RawFileRead(fd, text, (size_t) size, 0);
        if (text != NULL) {
            text[got < 0 ? 0 : got] = '\0';
        }
        close(fd);
    }
    free(path);
    return text;
}

/* All of a range's text file with this role, as read_text; *ret_name is the file's name, even if it
 * is missing. */
static char *read_role(const Range *range, const char *role, const char **ret_name)
{
    const char *const *names = NULL;
    const size_t count = OpprofRawPatterns(ANY_CHIP, role, &names);
    char *text = NULL;

    *ret_name = count == 0 ? role : names[0];
    for (size_t i = 0; text == NULL && i < count; i++) {
        text = read_text(range->directory, names[i]);
        *ret_name = text == NULL ? *ret_name : names[i];
    }
    return text;
}

/* Ends the line at `*at` and moves on to the next; NULL after the last one. */
static char *next_line(char **at)
{
    char *line = *at;

    if (line == NULL || *line == '\0') {
        return NULL;
    }
    char *end = strchr(line, '\n');
    *at = end == NULL ? NULL : end + 1;
    end = end == NULL ? line + strlen(line) : end;
    if (end > line && end[-1] == '\r') {
        end--;
    }
    *end = '\0';
    return line;
}

/* "/…/<place>/dump", wherever the run was when it was written. */
static bool is_place(const char *folder, const char *place)
{
    static const char dump[] = "/dump";
    size_t length = strlen(folder);
    const size_t tail = strlen(place);

    while (length > 0 && folder[length - 1] == '/') {
        length--;
    }
    if (length < strlen(dump) || memcmp(folder + length - strlen(dump), dump, strlen(dump)) != 0) {
        return false;
    }
    length -= strlen(dump);
    return length >= tail && memcmp(folder + length - tail, place, tail) == 0 &&
           (length == tail || folder[length - tail - 1] == '/');
}

static Launch *find_launch(Launches *launches, const char *folder)
{
    for (size_t i = 0; i < launches->count; i++) {
        if (is_place(folder, launches->list[i].place)) {
            return &launches->list[i];
        }
    }
    return NULL;
}

/* Path of the file with the records of the first replay; free with free(). NULL without memory. */
static char *first_records(const char *directory)
{
    char name[NAME_ROOM];
    char *path = NULL;

    OpprofRawFileName(ANY_CHIP, "counters", 1, name, sizeof name);
    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

/* Takes ownership of the path. */
static bool is_there(char *path)
{
    const int fd = path == NULL ? -1 : OpprofLiveOpen(path, O_PATH);

    if (fd >= 0) {
        close(fd);
    }
    free(path);
    return fd >= 0;
}

/* A launch whose share was cut before keeps it. */
static bool has_records(const Launch *launch)
{
    return is_there(first_records(launch->directory));
}

/* A launch keeps what it has of its own. */
static bool has_own(const Launch *launch, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", launch->directory, name) >= 0 && is_there(path);
}

/* The kernels in the order of the list of launches. */
static OpprofStatus read_kernels(Range *range, Launches *launches)
{
    const char *name;
    char *text = read_role(range, "range_launches", &name);
    char *at = text;

    for (const char *line; (line = next_line(&at)) != NULL;) {
        if (!OpprofGrow(&range->kernels, &range->kernel_capacity, range->kernel_count + 1,
                        sizeof(Launch *))) {
            free(text);
            return no_memory(range->error);
        }
        Launch *launch = find_launch(launches, line);
        if (launch == NULL && strcmp(line, "-1") != 0) {
            OpprofStageIncomplete(
                range->stage, "Range '%s': there is no launch in '%s' of its '%s', leaving it out",
                range->place, line, name);
        }
        if (launch != NULL && launch->is_listed) {
            OpprofStageIncomplete(range->stage,
                                  "Range '%s': '%s' is in its '%s' again, leaving it out",
                                  range->place, line, name);
            launch = NULL;
        }
        if (launch != NULL) {
            launch->is_listed = true;
            launch = has_records(launch) ? NULL : launch;
        }
        range->wanted += launch != NULL;
        range->kernels[range->kernel_count++] = launch;
    }
    if (text == NULL) {
        OpprofStageIncomplete(range->stage, "Range '%s' is left out: its '%s' cannot be read",
                              range->place, name);
    }
    free(text);
    return OPPROF_OK;
}

static bool is_fact(const OpprofRawForm *form, const char *fact, const char *line)
{
    const char *key = OpprofRawKey(form, fact);

    return key != NULL && strncmp(line, key, strlen(key)) == 0;
}

/* The clock was noted once for the range. */
static OpprofStatus append_clocks(Range *range)
{
    const char *name;
    char *text = read_role(range, "range_clocks", &name);
    char *at = text;
    char *clocks = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&clocks, &size);

    if (out == NULL) {
        free(text);
        return no_memory(range->error);
    }
    /*
     * The launch's own last line may lack its end, which is not a fault; in the range's file it
     * would be part of a number.
     */
    const size_t length = text == NULL ? 0 : strlen(text);
    const OpprofRawForm form = OpprofRawFormOf(ANY_CHIP, text, length);
    const bool is_cut = length > 0 && text[length - 1] != '\n';
    bool has_any = false;
    fputc('\n', out);
    for (const char *line; (line = next_line(&at)) != NULL;) {
        if (!(at == NULL && is_cut) &&
            (is_fact(&form, "current_freq", line) || is_fact(&form, "rated_freq", line))) {
            fprintf(out, "%s\n", line);
            has_any = true;
        }
    }
    free(text);
    bool is_good = fclose(out) == 0;
    if (is_good && (!has_any || is_cut)) {
        OpprofStageIncomplete(range->stage, "Range '%s': its '%s' %s", range->place, name,
                              is_cut ? "ends within a line, which is left out"
                                     : "is missing or names no clock");
    }
    for (size_t i = 0; is_good && i < range->kernel_count; i++) {
        if (range->kernels[i] != NULL && range->kernels[i]->appendix == NULL) {
            range->kernels[i]->is_range = true;
            range->kernels[i]->appendix = strdup(clocks);
            is_good = range->kernels[i]->appendix != NULL;
        }
    }
    free(clocks);
    return is_good ? OPPROF_OK : no_memory(range->error);
}

/* ---- the chip ---- */

/* False: records do not say whose they are. */
static bool read_geometry(const OpprofChip *chip, Range *range)
{
    OpprofPmuFacts facts;

    if (OpprofPmuFactsRead(chip, &facts, NULL) != OPPROF_OK) {
        return false;
    }
    range->records = (Geometry){ .size = facts.counters.size,
                                 .stream = facts.counters.stream,
                                 .task = facts.counters.task };
    range->log = (Geometry){ .size = facts.task_log.size,
                             .stream = facts.task_log.stream,
                             .task = facts.task_log.task };
    return range->records.stream.mask != 0 && range->records.task.mask != 0 &&
           range->log.stream.mask != 0 && range->log.task.mask != 0;
}

bool RangeCanShare(const OpprofChip *chip)
{
    Range range = { .stage = NULL };

    return read_geometry(chip, &range);
}

/* False, with a report: it is unknown where records identify their task. */
static bool choose_chip(Range *range, const char *name)
{
    char *soc = NULL;
    OpprofChip *chip = NULL;
    OpprofError *reason = NULL;

    for (size_t i = 0; soc == NULL && i < range->kernel_count; i++) {
        soc = range->kernels[i] != NULL ? NamesFact(range->kernels[i]->directory, "soc") : NULL;
    }
    const bool is_known = OpprofChipChoose(name, soc, &chip, NULL, &reason) == OPPROF_OK;
    const bool is_good = is_known && read_geometry(chip, range);
    if (!is_good) {
        OpprofStageIncomplete(range->stage, "Range '%s' is left out: %s", range->place,
                              is_known ? "records of this chip do not say whose they are"
                                       : OpprofErrorLine(reason));
    }
    OpprofErrorDestroy(reason);
    OpprofChipFree(chip);
    free(soc);
    return is_good;
}

/* ---- sharing out ---- */

static OpprofStatus add_part(Range *range, Launch *launch, const RawFile *file, const char *path,
                             const Extent *extents, size_t count)
{
    if (has_own(launch, file->name)) {
        return OPPROF_OK;
    }
    if (!OpprofGrow(&launch->parts, &launch->part_capacity, launch->part_count + 1,
                    sizeof *launch->parts)) {
        return no_memory(range->error);
    }
    RawFile *part = &launch->parts[launch->part_count++];
    *part = (RawFile){ .name = strdup(file->name),
                       .rank = file->rank,
                       .path = strdup(path),
                       .extents = calloc(count + 1, sizeof *part->extents),
                       .extent_count = count };
    if (part->name == NULL || part->path == NULL || part->extents == NULL) {
        return no_memory(range->error);
    }
    memcpy(part->extents, extents, count * sizeof *extents);
    return OPPROF_OK;
}

/* The runs of a file of the range; its faults are reported. */
static OpprofStatus find_runs(const Range *range, const char *path, const Geometry *geometry,
                              Runs *runs)
{
    OpprofStatus status;

    *runs = (Runs){ .count = 0 };
    const char *why = read_runs(path, geometry, runs, &status);
    if (status == OPPROF_E_MEMORY) {
        return no_memory(range->error);
    }
    if (why != NULL) {
        OpprofStageIncomplete(range->stage, "'%s' is cut: %s", path, why);
    } else if (runs->rest > 0) {
        OpprofStageIncomplete(
            range->stage, "'%s' ends in the middle of a record: %" PRIu64 " of %u bytes are there",
            path, runs->rest, geometry->size);
    }
    return OPPROF_OK;
}

/* Run j of a replay's records belongs to kernel j. */
static OpprofStatus share_records(Range *range, const RawFile *file, const char *path)
{
    Runs runs;
    OpprofStatus status = find_runs(range, path, &range->records, &runs);

    if (status == OPPROF_OK && runs.count != range->kernel_count) {
        OpprofStageIncomplete(range->stage,
                              "'%s' has consecutive records of %zu tasks, not of %zu: it is "
                              "uncertain which kernels left them",
                              path, runs.count, range->kernel_count);
    }
    for (size_t i = 0; status == OPPROF_OK && i < runs.count && i < range->kernel_count; i++) {
        if (range->kernels[i] != NULL) {
            status = add_part(range, range->kernels[i], file, path, &runs.list[i].extent, 1);
        }
    }
    free(runs.list);
    return status;
}

/* The records of the log that no earlier kernel of the same task took. */
static OpprofStatus take_log(Range *range, size_t kernel, const RawFile *file, const char *path,
                             Ids ids, Runs *log)
{
    Extent *extents = calloc(log->count + 1, sizeof *extents);
    size_t count = 0;

    if (extents == NULL) {
        return no_memory(range->error);
    }
    for (size_t i = 0; i < log->count; i++) {
        if (!log->list[i].is_taken && is_same(log->list[i].ids, ids)) {
            log->list[i].is_taken = true;
            extents[count++] = log->list[i].extent;
        }
    }
    const OpprofStatus status =
        count == 0 || range->kernels[kernel] == NULL
            ? OPPROF_OK
            : add_part(range, range->kernels[kernel], file, path, extents, count);
    free(extents);
    return status;
}

/* The records of the first replay show which kernel has which task. */
static OpprofStatus share_log(Range *range, const RawFile *file, const char *path)
{
    Runs kernels = { .count = 0 };
    Runs log = { .count = 0 };
    char *first = first_records(range->directory);

    if (first == NULL) {
        return no_memory(range->error);
    }
    OpprofStatus status = OPPROF_OK;
    /* Faults of these are reported when they are divided. */
    (void) read_runs(first, &range->records, &kernels, &status);
    status = status == OPPROF_E_MEMORY ? no_memory(range->error)
                                       : find_runs(range, path, &range->log, &log);
    for (size_t i = 0; status == OPPROF_OK && i < kernels.count && i < range->kernel_count; i++) {
        status = take_log(range, i, file, path, kernels.list[i].ids, &log);
    }
    free(first);
    free(kernels.list);
    free(log.list);
    return status;
}

static OpprofStatus share_file(Range *range, const RawFile *file)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s", range->directory, file->name) < 0) {
        return no_memory(range->error);
    }
    OpprofStatus status = OPPROF_OK;
    if (NamesIs(file->name, "task_log")) {
        status = share_log(range, file, path);
    } else if (NamesIs(file->name, "counters")) {
        status = share_records(range, file, path);
    }
    free(path);
    return status;
}

static OpprofStatus share_out(Range *range, const char *chip, const Patterns *patterns,
                              Launches *launches)
{
    RawFiles files = { .count = 0 };
    OpprofStatus status = read_kernels(range, launches);

    if (status != OPPROF_OK || range->wanted == 0 || !choose_chip(range, chip)) {
        return status;
    }
    status = append_clocks(range);
    if (status == OPPROF_OK) {
        status = RawFilesList(range->directory, patterns, &files, range->error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < files.count; i++) {
        status = share_file(range, &files.list[i]);
    }
    RawFilesFree(&files);
    return status;
}

/* ---- finding ---- */

static bool is_number(const char *name, size_t most_digits)
{
    const size_t length = strspn(name, "0123456789");
    return length >= 1 && length <= most_digits && name[length] == '\0';
}

/* The folders of ranges lie three levels below the folder of all ranges. */
static bool is_level(const char *name, int level)
{
    return level == 0   ? strncmp(name, "device", 6) == 0
           : level == 1 ? is_number(name, 32)
                        : is_number(name, 9);
}

typedef struct RangeSearch {
    OpprofStage *stage;
    const char *chip;
    const Patterns *patterns;
    Launches *launches;
    size_t input; /* length of the input's path */
    OpprofError **error;
} RangeSearch;

static OpprofStatus take_range(const RangeSearch *search, const char *directory)
{
    Range range = { .stage = search->stage,
                    .directory = directory,
                    .place = directory + search->input,
                    .error = search->error };
    range.place += strspn(range.place, "/");
    const OpprofStatus status = share_out(&range, search->chip, search->patterns, search->launches);

    free(range.kernels);
    return status;
}

static int by_nature(const struct dirent **a, const struct dirent **b)
{
    return CompareNatural((*a)->d_name, (*b)->d_name);
}

static OpprofStatus search_level(const RangeSearch *search, char *directory, int level)
{
    struct dirent **entries = NULL;
    OpprofStatus status = OPPROF_OK;

    if (level == 3) {
        return take_range(search, directory);
    }
    const int count = RawScan(directory, &entries, NULL, by_nature);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR) {
        OpprofStageIncomplete(search->stage, "Cannot list '%s': %m", directory);
    }
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (status == OPPROF_OK && is_level(entries[i]->d_name, level)) {
            status = asprintf(&path, "%s/%s", directory, entries[i]->d_name) < 0
                         ? no_memory(search->error)
                         : search_level(search, path, level + 1);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static RangeSearch search_below(const RangeOrder *order, OpprofError **error)
{
    return (RangeSearch){ .stage = order->stage,
                          .chip = order->chip,
                          .patterns = order->patterns,
                          .launches = order->launches,
                          .input = strlen(order->input),
                          .error = error };
}

OpprofStatus RangeShareOut(const RangeOrder *order, const char *directory, OpprofError **error)
{
    const RangeSearch search = search_below(order, error);

    return take_range(&search, directory);
}

OpprofStatus RangesShareOut(const RangeOrder *order, OpprofError **error)
{
    const RangeSearch search = search_below(order, error);
    const char *const *names = NULL;
    const size_t count = OpprofRawPatterns(order->chip, "ranges", &names);
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; i < count && status == OPPROF_OK; i++) {
        char *directory = NULL;
        if (asprintf(&directory, "%s/%s", order->input, names[i]) < 0) {
            return no_memory(error);
        }
        status = search_level(&search, directory, 0);
        free(directory);
    }
    return status;
}
