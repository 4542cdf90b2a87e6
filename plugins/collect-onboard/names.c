/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises raw files by their names, and reads what they say about a launch.
 * Tested by tests/plugins/collect-onboard/test_ranges.sh.
 */
#include "names.h"
#include "raw_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY_CHIP "auto"
#define MAX_TEXT (64u << 10) /* bytes of a file of facts that are read */

/* Tested by tests/e2e/chip_mistakes.sh. */
const OpprofChipSchema names_chip_schemas[] = {
    { "raw", .schema =
      "{ files: { <'info','task_log','counters','l2_cache','code_start','dbi_area','dbi_packets',"
      "'memory_chart','operands','code','block_map','block_counts','counted','sample_start',"
      "'sample_stub','samples','liveness','warps','tune_log','region_map','pipe_words',"
      "'pipe_windows','pipe_groups','pipe_monitors','aicpu','marks','ranges','range_launches','"
      "range_clocks'"
      ">: text | [ text ] }, "
      "info: { <'separator','name','block_dim','soc','device_id','pid','current_freq',"
      "'rated_freq','mc2','lccl','simt'>: text } }" },
    { "channels", .schema =
      "{ <'counters','tasks','aicpu','l2'>: { channel!: int(0..4294967295), kind: int(0..255), "
      "period: int(0..), slots: int(0..64), joint: bool, own_pass: bool, kernel_scale_tag: "
      "int(0..), "
      "events: [ int(0..65535) ], data!: [ int(0..4294967295) | 'cube16' | 'vector16' | 'core32' | "
      "'l2' | 'tag' ] }, "
      "trace: { channel!: int(0..65535), count!: int(1..30), data!: [ int(0..4294967295) | 'mode' "
      "| 'loss' ], loss_since: int(0..), chunk!: int(1.. bytes) }, "
      "command: int(0..), clear_bytes: int(0.. bytes) }" },
    { "perfmon", .schema =
      "{ provisional: bool, mode: 'ring' | 'fill', pointer_unit: int(1..), counts_words: bool, "
      "gap_word: int(0..4294967295), sub_core_stride: int(0..), dies: int(1..), cores_of_die: "
      "int(1..), "
      "registers: { "
      "<'global_en','base_addr_l','base_addr_h','buf_len','wptr_o','samp_crt_clr','samp_wrt'>: "
      "{ offset!: int(0..), bits!: int(1..64 bits), meaning: text, provisional: bool } } }" },
    { .section = NULL },
};

const char **NamesExpand(const OpprofParams *params, const char *parameter, const char *chip,
                         size_t *ret_count)
{
    const size_t count = OpprofParamsCount(params, parameter);
    const char *const *patterns = NULL;
    size_t room = count + 1;

    for (size_t i = 0; i < count; i++) {
        room += OpprofRawPatterns(chip, OpprofParamsElement(params, parameter, i), &patterns);
    }
    const char **list = calloc(room, sizeof *list);
    *ret_count = 0;
    for (size_t i = 0; list != NULL && i < count; i++) {
        const char *element = OpprofParamsElement(params, parameter, i);
        const size_t more = OpprofRawPatterns(chip, element, &patterns);
        for (size_t k = 0; k < more; k++) {
            list[(*ret_count)++] = patterns[k];
        }
        if (more == 0) {
            list[(*ret_count)++] = element;
        }
    }
    return list;
}

bool NamesIs(const char *file, const char *role)
{
    const char *its = OpprofRawRole(ANY_CHIP, file, NULL);

    return its != NULL && strcmp(its, role) == 0;
}

/* The beginning of a file, at most `room` bytes; 0 if it cannot be read. */
static size_t read_beginning(const char *directory, const char *name, char *text, size_t room)
{
    char *path = NULL;
    uint64_t size = 0;
    int reason = 0;
    int fd = -1;
    ssize_t got = 0;

    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        return 0;
    }
    if (RawFileOpen(path, &fd, &size, &reason) == NULL) {
        got = RawFileRead(fd, text, size < room ? (size_t) size : room, 0);
        close(fd);
    }
    free(path);
    return got < 0 ? 0 : (size_t) got;
}

char *NamesFact(const char *directory, const char *fact)
{
    const char *const *names = NULL;
    const size_t count = OpprofRawPatterns(ANY_CHIP, "info", &names);
    char *text = malloc(MAX_TEXT);
    char *value = NULL;

    for (size_t i = 0; text != NULL && value == NULL && i < count; i++) {
        const size_t length = read_beginning(directory, names[i], text, MAX_TEXT);
        const OpprofRawForm form = OpprofRawFormOf(ANY_CHIP, text, length);
        size_t size = 0;
        const char *at = OpprofRawValue(&form, fact, text, length, &size);
        value = at == NULL ? NULL : strndup(at, size);
    }
    free(text);
    return value;
}
