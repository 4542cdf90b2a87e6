/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories of launches on a device: whether they are recognised, which launches there are, which
 * of them are wanted, and what each gets of the files of a range. The first byte chooses the chip;
 * up to the end of its line follow patterns of kernels, a blank, and numbers of launches. Then the
 * input names files, as marked_files.h says.
 */
#include "fuzz/fuzz.h"
#include "fuzz/marked_files.h"
#include "plugins/collect-onboard/choice.h"
#include "plugins/collect-onboard/emit.h"
#include "plugins/collect-onboard/names.h"
#include "plugins/collect-onboard/range.h"
#include "plugins/collect-onboard/recognise.h"

#include <opprof/kit/chip.h>
#include <opprof/opprof.h>
#include <opprof/records/onboard.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANGES_MAX 8u
#define PATTERNS_MAX 64u
#define WORDS_MAX 200u

/* Parameters of a command line. */
typedef struct Words {
    char room[WORDS_MAX + 1];
    const char *chip;
    OrderRange ranges[RANGES_MAX];
    LaunchChoice choice;
} Words;

static const char *const chips[] = { "auto", "Ascend910B1", "310P", "950", "none" };

/* A stage that only hears what is lacking. */
static OpprofStage *stage;

static OpprofStatus create(OpprofStage *its, void **ret_self, OpprofError **error)
{
    (void) error;
    stage = its;
    *ret_self = NULL;
    return OPPROF_OK;
}

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) self;
    (void) port;
    (void) batch;
    (void) error;
    return OPPROF_END;
}

static OpprofPipeline *make_stage(void)
{
    static const OpprofPluginOps ops = { .struct_size = sizeof ops,
                                         .create = create,
                                         .process = process };
    static const OpprofPort outputs[] = { { .name = "chunks",
                                            .record_type = &opprof_onboard_chunk_type,
                                            .batch_records = 1,
                                            .summary = "None." } };
    static const OpprofPlugin hearer = { .struct_size = sizeof hearer,
                                         .abi_major = OPPROF_ABI_MAJOR,
                                         .abi_minor = OPPROF_ABI_MINOR,
                                         .name = "hearer",
                                         .version = "1.0",
                                         .license = "Apache-2.0",
                                         .summary = "Hears.",
                                         .kind = OPPROF_COLLECTOR,
                                         .outputs = outputs,
                                         .output_count = OPPROF_COUNT(outputs),
                                         .ops = &ops };
    OpprofPipeline *pipeline = OpprofPipelineCreate();

    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    FUZZ_REQUIRE(pipeline != NULL);
    FUZZ_REQUIRE(AddPluginDescriptor(pipeline, "hearer", &hearer, NULL, NULL) == OPPROF_OK);
    return pipeline;
}

/* The files that the collector wants by default, by their names. */
static Patterns all_patterns(void)
{
    static const char *list[PATTERNS_MAX];
    static size_t count;
    char roles[] = EMIT_FILES;
    char *rest = NULL;

    if (count > 0) {
        return (Patterns){ list, count };
    }
    for (const char *role = strtok_r(roles, ",", &rest); role != NULL;
         role = strtok_r(NULL, ",", &rest)) {
        const char *const *names = NULL;
        const size_t more = OpprofRawPatterns("auto", role, &names);

        FUZZ_REQUIRE(more > 0 && count + more <= PATTERNS_MAX);
        memcpy(list + count, names, more * sizeof *names);
        count += more;
    }
    return (Patterns){ list, count };
}

static void read_words(Words *words, const uint8_t *data, size_t size)
{
    const uint8_t *end = size == 0 ? NULL : memchr(data, '\n', size);
    size_t length = end == NULL ? 0 : (size_t) (end - data);
    char *text, *rest = NULL;

    *words = (Words){ .chip = chips[length == 0 ? 0 : data[0] % OPPROF_COUNT(chips)] };
    if (length == 0 || data[0] == '>') {
        return;
    }
    length = length - 1 < WORDS_MAX ? length - 1 : WORDS_MAX;
    memcpy(words->room, data + 1, length);
    text = strchr(words->room, ' ');
    if (text != NULL) {
        *text++ = '\0';
    }
    words->choice.kernel = words->room[0] == '\0' ? NULL : words->room;
    words->choice.ranges = words->ranges;
    for (text = text == NULL ? NULL : strtok_r(text, ",", &rest);
         text != NULL && words->choice.range_count < RANGES_MAX;
         text = strtok_r(NULL, ",", &rest)) {
        words->choice.range_count +=
            OrderRangeParse(text, &words->ranges[words->choice.range_count]);
    }
}

/* Bytes of a file as a launch has it, which must be there. */
static uint64_t read_part(const RawFile *file)
{
    uint64_t size = 0, bytes = 0;
    char room[4096];
    int reason = 0, fd = -1;

    FUZZ_REQUIRE(RawFileOpen(file->path, &fd, &size, &reason) == NULL);
    for (size_t i = 0; i < file->extent_count; i++) {
        const Extent *extent = &file->extents[i];

        FUZZ_REQUIRE(extent->length > 0 && extent->offset <= size);
        FUZZ_REQUIRE(extent->length <= size - extent->offset);
        FUZZ_REQUIRE(i == 0 || extent[-1].offset + extent[-1].length <= extent->offset);
        FUZZ_REQUIRE(RawFileRead(fd, room, sizeof room, extent->offset) > 0);
        bytes += extent->length;
    }
    close(fd);
    return bytes;
}

/* No byte of a range's file is in two shares. */
static void compare_parts(const RawFile *one, const RawFile *other)
{
    if (strcmp(one->path, other->path) != 0) {
        return;
    }
    for (size_t i = 0; i < one->extent_count; i++) {
        for (size_t k = 0; k < other->extent_count; k++) {
            const Extent *a = &one->extents[i], *b = &other->extents[k];

            FUZZ_REQUIRE(a->offset + a->length <= b->offset || b->offset + b->length <= a->offset);
        }
    }
}

static void compare_shares(const Launches *launches)
{
    for (size_t i = 0; i < launches->count; i++) {
        for (size_t k = 0; k <= i; k++) {
            const Launch *one = &launches->list[i], *other = &launches->list[k];

            for (size_t a = 0; a < one->part_count; a++) {
                for (size_t b = 0; b < (k == i ? a : other->part_count); b++) {
                    compare_parts(&one->parts[a], &other->parts[b]);
                }
            }
        }
    }
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Each launch has a folder of results of its own, below the results. */
static void check_folders(const Launches *launches)
{
    for (size_t i = 0; i < launches->count; i++) {
        const Launch *launch = &launches->list[i];
        const char *const parts[] = { launch->device, launch->kernel, launch->order };

        FUZZ_REQUIRE(launch->place != NULL && launch->directory != NULL);
        for (size_t k = 0; k < OPPROF_COUNT(parts); k++) {
            FUZZ_REQUIRE(parts[k] == NULL || (parts[k][0] != '\0' && parts[k][0] != '.' &&
                                              strchr(parts[k], '/') == NULL));
        }
        for (size_t k = 0; k < i; k++) {
            const Launch *other = &launches->list[k];

            FUZZ_REQUIRE(!is_same(launch->device, other->device) ||
                         !is_same(launch->kernel, other->kernel) ||
                         !is_same(launch->order, other->order));
        }
    }
}

static uint64_t read_launch(Launch *launch, const Patterns *patterns)
{
    RawFiles files = { .count = 0 };
    uint64_t bytes = 0;

    free(NamesFact(launch->directory, "name"));
    if (RawFilesFind(launch, patterns, &files, NULL) == OPPROF_OK) {
        for (size_t i = 0; i < files.count; i++) {
            FUZZ_REQUIRE(i == 0 || files.list[i - 1].rank <= files.list[i].rank);
            FUZZ_REQUIRE(i == 0 || strcmp(files.list[i - 1].name, files.list[i].name) != 0);
            bytes += files.list[i].path == NULL ? 0 : read_part(&files.list[i]);
        }
        RawFilesFree(&files);
    }
    return bytes;
}

static void look_through(const char *directory, const Words *words)
{
    const Patterns patterns = all_patterns();
    Launches launches = { .count = 0 };
    uint64_t bytes = 0;

    if (LaunchesFind(directory, &patterns, &launches, NULL) != OPPROF_OK) {
        return;
    }
    FUZZ_REQUIRE(launches.count > 0);
    check_folders(&launches);
    FUZZ_REQUIRE(RangesShareOut(&(RangeOrder){ .stage = stage,
                                               .input = directory,
                                               .chip = words->chip,
                                               .patterns = &patterns,
                                               .launches = &launches },
                                NULL) == OPPROF_OK);
    compare_shares(&launches);
    if (LaunchesChoose(&launches, &words->choice, directory, NULL) == OPPROF_OK) {
        const uint64_t most = LaunchesBytes(&launches, &patterns);

        FUZZ_REQUIRE(launches.count > 0);
        for (size_t i = 0; i < launches.count; i++) {
            bytes += read_launch(&launches.list[i], &patterns);
        }
        FUZZ_REQUIRE(bytes <= most);
    }
    LaunchesFree(&launches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OpprofPipeline *pipeline;
    MarkedFiles files;
    Words words;

    setenv("OPPROF_CHIP_PATH", FUZZ_CHIPS_DIR, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    read_words(&words, data, size);
    pipeline = make_stage();
    MarkedFilesWrite(&files, (const char *) data, size);
    MarkedFilesRecognise(&files, recognise_kinds);
    look_through(files.directory, &words);
    MarkedFilesRemove(&files);
    OpprofPipelineDestroy(pipeline);
    return 0;
}
