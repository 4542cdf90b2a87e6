/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the chip file says about performance monitors.
 * Tested by tests/plugins/collect-onboard/test_perfmon_facts.c.
 */
#include "perfmon_facts.h"

#include <string.h>

#define SUB_CORES 3u

static bool read_number(const OpprofFact *object, const char *name, double least, double most,
                        uint32_t *ret_value)
{
    double value = -1;

    if (!OpprofFactNumber(OpprofFactMember(object, name), &value) || value < least ||
        value > most) {
        return false;
    }
    *ret_value = (uint32_t) value;
    return true;
}

/* The name of the register that is missing or wrong; NULL: none. */
static const char *read_registers(const OpprofFact *registers, PerfmonFacts *facts)
{
    static const char *const names[OPPROF_LIVE_MONITOR_REGISTERS] = {
        [OPPROF_LIVE_MONITOR_ENABLE] = "global_en",
        [OPPROF_LIVE_MONITOR_BASE_LOW] = "base_addr_l",
        [OPPROF_LIVE_MONITOR_BASE_HIGH] = "base_addr_h",
        [OPPROF_LIVE_MONITOR_LENGTH] = "buf_len",
        [OPPROF_LIVE_MONITOR_POINTER] = "wptr_o",
        [OPPROF_LIVE_MONITOR_CLEAR] = "samp_crt_clr",
        [OPPROF_LIVE_MONITOR_COUNT] = "samp_wrt",
    };

    for (uint32_t i = 0; i < OPPROF_LIVE_MONITOR_REGISTERS; i++) {
        const OpprofFact *one = OpprofFactMember(registers, names[i]);

        if (!read_number(one, "offset", 0, 0xfffff, &facts->monitors.offsets[i]) ||
            facts->monitors.offsets[i] % 4 != 0) {
            return names[i];
        }
        facts->is_provisional =
            facts->is_provisional || OpprofFactBool(OpprofFactMember(one, "provisional"), false);
    }
    return NULL;
}

static const char *read_rest(const OpprofFact *section, PerfmonFacts *facts)
{
    const char *mode = OpprofFactText(OpprofFactMember(section, "mode"));
    OpprofLiveMonitors *monitors = &facts->monitors;

    if (mode == NULL || !read_number(section, "pointer_unit", 1, 32, &monitors->pointer_unit) ||
        !read_number(section, "sub_core_stride", 4, 0x10000000, &monitors->sub_core_stride) ||
        !read_number(section, "dies", 1, 16, &facts->dies) ||
        !read_number(section, "cores_of_die", 1, 64, &facts->cores_of_die) ||
        !read_number(section, "gap_word", 0, UINT32_MAX, &monitors->gap)) {
        return "mode, pointer_unit, sub_core_stride, dies, cores_of_die or gap_word";
    }
    monitors->flags = (strcmp(mode, "ring") == 0 ? OPPROF_LIVE_MONITOR_RING : 0) |
                      (OpprofFactBool(OpprofFactMember(section, "counts_words"), false)
                           ? OPPROF_LIVE_MONITOR_COUNTS
                           : 0);
    monitors->core_count = facts->dies * facts->cores_of_die;
    monitors->sub_cores = (1u << SUB_CORES) - 1;
    facts->is_provisional =
        facts->is_provisional || OpprofFactBool(OpprofFactMember(section, "provisional"), false);
    return NULL;
}

OpprofStatus PerfmonFactsLoad(const OpprofChip *chip, PerfmonFacts *ret_facts, OpprofError **error)
{
    const OpprofFact *section = OpprofChipFact(chip, "perfmon");
    const char *wrong = section == NULL ? "perfmon" : NULL;

    *ret_facts = (PerfmonFacts){ .is_provisional = false };
    if (wrong == NULL) {
        wrong = read_registers(OpprofFactMember(section, "registers"), ret_facts);
    }
    if (wrong == NULL) {
        wrong = read_rest(section, ret_facts);
    }
    return wrong == NULL ? OPPROF_OK
                         : OpprofErrorSet(error, OPPROF_E_DATA,
                                          "The chip file of '%s' does not describe performance "
                                          "monitors: '%s' is missing or wrong",
                                          OpprofChipSoc(chip), wrong);
}

uint32_t PerfmonTableIndex(const PerfmonFacts *facts, uint32_t core, uint32_t sub_core)
{
    const uint32_t die = core / facts->cores_of_die;
    const uint32_t local = core % facts->cores_of_die;
    const uint32_t base = die * facts->cores_of_die * SUB_CORES;

    return sub_core == 0 ? base + local : base + facts->cores_of_die + 2 * local + sub_core - 1;
}
