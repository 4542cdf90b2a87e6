/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the chip file says about performance monitors.
 * Tested by tests/plugins/collect-onboard/test_perfmon_facts.c.
 */
#include "perfmon_facts.h"

#define SUB_CORES 3u

#define REGISTER(text, index)                                                                      \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_OBJECT, .flags = OPPROF_FACT_REQUIRED,              \
        .of = register_fields, .check = check_register, OPPROF_FACT_IN(Section, registers[index])  \
    }
#define NUMBER(text, smallest, largest, member)                                                    \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_WHOLE, .flags = OPPROF_FACT_REQUIRED,               \
        .least = (smallest), .most = (largest), OPPROF_FACT_IN(Section, member)                    \
    }

typedef struct Register {
    uint32_t offset;
    bool is_provisional;
} Register;

typedef struct Section {
    Register registers[OPPROF_LIVE_MONITOR_REGISTERS];
    uint32_t pointer_unit;
    uint32_t sub_core_stride;
    uint32_t dies;
    uint32_t cores_of_die;
    uint32_t gap;
    uint8_t mode; /* 0: a ring */
    bool counts_words;
    bool is_provisional;
} Section;

static const OpprofFactField register_fields[] = {
    { "offset", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .most = 0xfffff,
      OPPROF_FACT_IN(Register, offset) },
    { "bits", OPPROF_FACT_IS_WHOLE, OPPROF_FACT_REQUIRED, .least = 1, .most = 64, .unit = "bits" },
    { "meaning", .type = OPPROF_FACT_IS_TEXT },
    { "provisional", OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(Register, is_provisional) },
    { .name = NULL },
};

static bool check_register(const void *object, OpprofFactReport *report)
{
    const Register *one = object;

    if (one->offset % 4 != 0) {
        OpprofFactMistake(report, "offset", "%u is not a multiple of 4 bytes", one->offset);
    }
    return true;
}

static const OpprofFactField registers[] = {
    REGISTER("global_en", OPPROF_LIVE_MONITOR_ENABLE),
    REGISTER("base_addr_l", OPPROF_LIVE_MONITOR_BASE_LOW),
    REGISTER("base_addr_h", OPPROF_LIVE_MONITOR_BASE_HIGH),
    REGISTER("buf_len", OPPROF_LIVE_MONITOR_LENGTH),
    REGISTER("wptr_o", OPPROF_LIVE_MONITOR_POINTER),
    REGISTER("samp_crt_clr", OPPROF_LIVE_MONITOR_CLEAR),
    REGISTER("samp_wrt", OPPROF_LIVE_MONITOR_COUNT),
    { .name = NULL },
};
static const OpprofFactField fields[] = {
    { "provisional", OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(Section, is_provisional) },
    { "mode", OPPROF_FACT_IS_CHOICE, OPPROF_FACT_REQUIRED, .from = "'ring','fill'",
      OPPROF_FACT_IN(Section, mode) },
    NUMBER("pointer_unit", 1, 32, pointer_unit),
    { "counts_words", OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(Section, counts_words) },
    NUMBER("gap_word", 0, UINT32_MAX, gap),
    NUMBER("sub_core_stride", 4, 0x10000000, sub_core_stride),
    NUMBER("dies", 1, 16, dies),
    NUMBER("cores_of_die", 1, 64, cores_of_die),
    { "registers", OPPROF_FACT_IS_OBJECT, OPPROF_FACT_REQUIRED, .of = registers },
    { .name = NULL },
};
const OpprofFactTable perfmon_table = { .fields = fields, .size = sizeof(Section) };

OpprofStatus PerfmonFactsLoad(const OpprofChip *chip, PerfmonFacts *ret_facts, OpprofError **error)
{
    OpprofLiveMonitors *monitors = &ret_facts->monitors;
    Section section;

    *ret_facts = (PerfmonFacts){ .is_provisional = false };
    const OpprofStatus status = OpprofFactsBind(chip, "perfmon", &perfmon_table, &section, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (section.dies == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "The chip file of '%s' does not describe performance monitors: "
                              "'perfmon' is missing",
                              OpprofChipSoc(chip));
    }
    ret_facts->is_provisional = section.is_provisional;
    for (uint32_t i = 0; i < OPPROF_LIVE_MONITOR_REGISTERS; i++) {
        monitors->offsets[i] = section.registers[i].offset;
        ret_facts->is_provisional |= section.registers[i].is_provisional;
    }
    monitors->pointer_unit = section.pointer_unit;
    monitors->sub_core_stride = section.sub_core_stride;
    monitors->gap = section.gap;
    monitors->flags = (section.mode == 0 ? OPPROF_LIVE_MONITOR_RING : 0) |
                      (section.counts_words ? OPPROF_LIVE_MONITOR_COUNTS : 0);
    monitors->core_count = section.dies * section.cores_of_die;
    monitors->sub_cores = (1u << SUB_CORES) - 1;
    return OPPROF_OK;
}
