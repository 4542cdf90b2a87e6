/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a made-up operator, from which the counters of its raw files follow. */
#include "tests/tools/onboard.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = 2, FLOAT = 4, TILE = 128 };

#define FRACTAL 512u /* bytes that a step of the cube reads of each operand */

struct OnboardLoad {
    OnboardSeries series;
    bool is_random;
    uint64_t cycles;
    /* Cube cores */
    uint64_t cube_steps, cube_cycles, cube_instr;
    uint64_t gm_l1, l1_l0a, l1_l0b, l1_read, l0_read, l0c_gm;
    uint64_t mte1_cycles, fixp_cycles, mte1_instr, fixp_instr;
    /* Vector cores */
    uint64_t gm_ub, ub_gm, ub_read, ub_write;
    uint64_t vec_steps, vec_cycles, vec_instr;
    /* Both */
    uint64_t mte2_cycles, mte3_cycles, mte2_instr, mte3_instr, scalar_cycles;
    uint64_t read, written;
    uint64_t hits[2], misses[2], write_hits, write_misses; /* of the L2 cache; reads by channel */
    uint64_t all_hits, reads, writes;
    uint64_t icache, icache_miss;
};

uint64_t OnboardDraw(OnboardRandom *source, uint64_t below)
{
    uint64_t mixed;

    source->state += 0x9e3779b97f4a7c15u;
    mixed = source->state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return below == 0 ? 0 : mixed % below;
}

static uint64_t up(uint64_t amount, uint64_t unit)
{
    return (amount + unit - 1) / unit;
}

/* A few percent more or less. */
static uint64_t about(uint64_t value, OnboardRandom *source)
{
    return value + value * OnboardDraw(source, 50) / 1000 - value / 40;
}

/* A share of the rows of C: A's rows and all of B come in, tiles go through the cube. */
static void load_cube(OnboardLoad *load, const OnboardLaunch *launch, OnboardRandom *source)
{
    const uint64_t m = up(launch->m, launch->blocks);

    load->cube_steps = up(m, 16) * up(launch->n, 16) * up(launch->k, 16);
    load->cube_instr = load->cube_steps; /* as the formulas of operations count them */
    load->cube_cycles = about(load->cube_steps, source);
    load->gm_l1 = (m * launch->k + launch->k * launch->n) * HALF;
    load->l1_l0a = m * launch->k * up(launch->n, TILE) * HALF;
    load->l1_l0b = launch->k * launch->n * up(m, TILE) * HALF;
    load->l0c_gm = m * launch->n * HALF;
    load->mte1_cycles = about(load->l1_l0a / 256 + load->l1_l0b / 128, source);
    load->fixp_cycles = about(load->l0c_gm / 64, source);
    load->mte2_cycles = about(load->gm_l1 / 110, source);
    load->mte1_instr = up(load->l1_l0a + load->l1_l0b, 32768);
    load->mte2_instr = up(load->gm_l1, 32768);
    load->fixp_instr = up(load->l0c_gm, 32768);
    load->read = load->gm_l1;
    load->written = load->l0c_gm;
}

static void load_vector(OnboardLoad *load, const OnboardLaunch *launch, OnboardRandom *source)
{
    const bool is_mix = launch->op == ONBOARD_OP_MIX;
    const uint64_t all = is_mix ? launch->m * launch->n : launch->m;
    const uint64_t elements = up(all, (uint64_t) launch->blocks * (is_mix ? 2 : 1));

    load->gm_ub = elements * HALF * 2;
    load->ub_gm = elements * HALF;
    load->ub_read = elements * HALF * 2;
    load->ub_write = elements * HALF;
    load->vec_steps = up(elements, 128);
    load->vec_instr = load->vec_steps;
    load->vec_cycles = about(load->vec_steps, source);
    load->mte2_cycles = about(load->gm_ub / 90, source);
    load->mte3_cycles = about(load->ub_gm / 70, source);
    load->mte2_instr = up(load->gm_ub, 16384);
    load->mte3_instr = up(load->ub_gm, 16384);
    load->read = load->gm_ub;
    load->written = load->ub_gm;
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Requests to the L2 cache: each is a hit or a miss. */
static void load_cache(OnboardLoad *load, double hit_percent)
{
    load->reads = up(load->read, 128);
    load->writes = up(load->written, load->series == ONBOARD_A5 ? 128 : 512);
    const uint64_t hits = (uint64_t) ((double) load->reads * hit_percent / 100 + 0.5);
    load->write_hits = (uint64_t) ((double) load->writes * hit_percent / 100 + 0.5);
    load->write_misses = load->writes - load->write_hits;
    load->hits[0] = hits / 2;
    load->hits[1] = hits - hits / 2;
    load->misses[0] = (load->reads - hits) / 2;
    load->misses[1] = load->reads - hits - load->misses[0];
    load->all_hits = hits + load->write_hits;
}

static uint64_t percent_of(uint64_t cycles, double percent)
{
    return (uint64_t) ((double) cycles * percent / 100 + 0.5);
}

static void load_described_cube(OnboardLoad *load, const OnboardShare *share)
{
    load->cube_steps = share->cube_steps;
    load->cube_instr = share->cube_steps;
    load->cube_cycles = percent_of(load->cycles, share->cube);
    load->gm_l1 = share->gm_l1;
    load->l1_l0a = share->l1_l0a;
    load->l1_l0b = share->l1_l0b;
    load->l0c_gm = share->l0c_gm;
    load->mte1_cycles = percent_of(load->cycles, share->mte1);
    load->fixp_cycles = percent_of(load->cycles, share->fixp);
    load->mte1_instr = up(share->l1_l0a + share->l1_l0b, 32768);
    load->fixp_instr = up(share->l0c_gm, 32768);
}

static void load_described_vector(OnboardLoad *load, const OnboardShare *share)
{
    load->gm_ub = share->gm_ub;
    load->ub_gm = share->ub_gm;
    load->ub_read = share->ub_read;
    load->ub_write = share->ub_write;
    load->vec_steps = share->vec_steps;
    load->vec_instr = share->vec_steps;
    load->vec_cycles = percent_of(load->cycles, share->vec);
    load->mte3_instr = up(share->ub_gm, 16384);
}

/* Only the cycles differ between cores, and what is busy for a share of them. */
static void load_described(OnboardLoad *load, const OnboardLaunch *launch, OnboardCore core,
                           OnboardRandom *source)
{
    const OnboardShare *share = &launch->shares[core];
    const uint64_t spread = percent_of(share->cycles, launch->spread);

    load->cycles = share->cycles + OnboardDraw(source, spread + 1);
    load_described_cube(load, share);
    load_described_vector(load, share);
    load->read = share->gm_l1 + share->gm_ub;
    load->written = share->l0c_gm + share->ub_gm;
    load->mte2_cycles = percent_of(load->cycles, share->mte2);
    load->mte3_cycles = percent_of(load->cycles, share->mte3);
    load->mte2_instr = up(load->read, 32768);
    load->scalar_cycles = percent_of(load->cycles, share->scalar);
}

static void load_calculated(OnboardLoad *load, const OnboardLaunch *launch, OnboardCore core,
                            OnboardRandom *source)
{
    if (core == ONBOARD_CUBE || load->series == ONBOARD_310P) {
        load_cube(load, launch, source);
    }
    if (core == ONBOARD_VECTOR || (load->series == ONBOARD_310P && launch->op != ONBOARD_OP_CUBE)) {
        load_vector(load, launch, source);
    }
    load->scalar_cycles = 400 + load->mte2_instr * 12 + OnboardDraw(source, 100);
    load->cycles = more(more(load->cube_cycles, load->vec_cycles),
                        more(more(load->mte1_cycles, load->mte2_cycles), load->mte3_cycles));
    load->cycles += load->cycles / 8 + load->scalar_cycles + 900;
}

OnboardLoad *OnboardLoadCreate(const OnboardLaunch *launch, OnboardSeries series, OnboardCore core,
                               OnboardRandom *source)
{
    const bool is_described = launch->work == ONBOARD_DESCRIBED;
    OnboardLoad *load = calloc(1, sizeof *load);

    if (load == NULL) {
        return NULL;
    }
    load->series = series;
    load->is_random = launch->work == ONBOARD_RANDOM;
    if (load->is_random) {
        load->cycles = OnboardDraw(source, 20) == 0 ? 0 : 1000 + OnboardDraw(source, 300000);
        return load;
    }
    if (is_described) {
        load_described(load, launch, core, source);
    } else {
        load_calculated(load, launch, core, source);
    }
    load->l1_read = load->l1_l0a + load->l1_l0b;
    load->l0_read = load->cube_steps * FRACTAL;
    load_cache(load, is_described ? launch->shares[core].l2_hit : 80);
    load->icache = 64 + load->scalar_cycles / 8;
    load->icache_miss = 20 + OnboardDraw(source, 8);
    return load;
}

void OnboardLoadFree(OnboardLoad *load)
{
    free(load);
}

uint64_t OnboardLoadCycles(const OnboardLoad *load)
{
    return load->cycles;
}

/* What a counter counts: an amount of the load in units, which may be another for each series. */
typedef struct Counter {
    const char *name;
    size_t amount;
    uint16_t unit[ONBOARD_SERIES_COUNT]; /* 0: 1 */
} Counter;

#define AMOUNT(member) offsetof(OnboardLoad, member)

static const Counter counters[] = {
    { "vec_instr", AMOUNT(vec_instr), { 0 } },
    { "cube_instr", AMOUNT(cube_instr), { 0 } },
    { "cube_fp_instr", AMOUNT(cube_instr), { 0 } },
    { "mte1_instr", AMOUNT(mte1_instr), { 0 } },
    { "mte2_instr", AMOUNT(mte2_instr), { 0 } },
    { "mte3_instr", AMOUNT(mte3_instr), { 0 } },
    { "fixp_instr", AMOUNT(fixp_instr), { 0 } },
    { "vec_busy_cyc", AMOUNT(vec_cycles), { 0 } },
    { "vec_vf_busy_cyc", AMOUNT(vec_cycles), { 0 } },
    { "scalar_busy_cyc", AMOUNT(scalar_cycles), { 0 } },
    { "cube_busy_cyc", AMOUNT(cube_cycles), { 0 } },
    { "cube_fp_busy_cyc", AMOUNT(cube_cycles), { 0 } },
    { "cube_fp_exec", AMOUNT(cube_steps), { 0 } },
    { "mte1_busy_cyc", AMOUNT(mte1_cycles), { 0 } },
    { "mte1_busy_cyc_ext", AMOUNT(mte1_cycles), { 0 } },
    { "mte2_busy_cyc", AMOUNT(mte2_cycles), { 0 } },
    { "mte3_busy_cyc", AMOUNT(mte3_cycles), { 0 } },
    { "fixp_busy_cyc", AMOUNT(fixp_cycles), { 0 } },
    { "main_mem_read_req", AMOUNT(read), { 512, 512, 512 } },
    { "main_mem_write_req", AMOUNT(written), { 512, 512, 512 } },
    { "l0a_read_req", AMOUNT(l0_read), { 512, 512, 64 } },
    { "l0a_write_req", AMOUNT(l1_l0a), { 512, 256, 256 } },
    { "l0b_read_req", AMOUNT(l0_read), { 512, 512, 256 } },
    { "l0b_write_req", AMOUNT(l1_l0b), { 128, 128, 256 } },
    { "l0c_read_by_cube_req", AMOUNT(cube_steps), { 0 } },
    { "l0c_write_by_cube_req", AMOUNT(cube_steps), { 0 } },
    { "l0c_to_vec", AMOUNT(l0c_gm), { 512, 512, 512 } },
    { "l0c_to_fixp_req", AMOUNT(l0c_gm), { 128, 128, 128 } },
    { "l1_read_req", AMOUNT(l1_read), { 512, 128, 256 } },
    { "l1_write_req", AMOUNT(gm_l1), { 256, 256, 128 } },
    { "ub_read_by_mte_req", AMOUNT(ub_gm), { 16, 128, 128 } },
    { "ub_write_by_mte_req", AMOUNT(gm_ub), { 16, 128, 128 } },
    { "ub_read_by_vec_req", AMOUNT(ub_read), { 32, 256, 256 } },
    { "ub_write_by_vec_req", AMOUNT(ub_write), { 32, 256, 256 } },
    { "vec_fp16_128lane_exec", AMOUNT(vec_steps), { 0 } },
    { "vec_fp32_exec", AMOUNT(vec_steps), { 0 } },
    { "icache_req", AMOUNT(icache), { 0 } },
    { "icache_miss", AMOUNT(icache_miss), { 0 } },
    { "read_data_received", AMOUNT(read), { 128, 128, 128 } },
    { "read_data_r0_128B", AMOUNT(read), { 256, 256, 256 } },
    { "read_data_r1_128B", AMOUNT(read), { 256, 256, 256 } },
    { "write_data_128B", AMOUNT(written), { 128, 128, 128 } },
    { "write_data_sent", AMOUNT(written), { 128, 128, 128 } },
    { "l2_write_hit", AMOUNT(write_hits), { 0 } },
    { "l2_write_miss_alloc", AMOUNT(write_misses), { 0 } },
    { "l2_read_r0_hit", AMOUNT(hits[0]), { 0 } },
    { "l2_read_r1_hit", AMOUNT(hits[1]), { 0 } },
    { "l2_read_r0_miss_alloc", AMOUNT(misses[0]), { 0 } },
    { "l2_read_r1_miss_alloc", AMOUNT(misses[1]), { 0 } },
    { "l2_read_close_hit", AMOUNT(hits[0]), { 0 } },
    { "l2_read_far_hit", AMOUNT(hits[1]), { 0 } },
    { "l2_read_close_miss", AMOUNT(misses[0]), { 0 } },
    { "l2_read_far_miss", AMOUNT(misses[1]), { 0 } },
    { "l2_write_close_hit", AMOUNT(write_hits), { 0 } },
    { "l2_write_close_miss", AMOUNT(write_misses), { 0 } },
    { "l2_hit", AMOUNT(all_hits), { 0 } },
    { "l2_req_a", AMOUNT(reads), { 0 } },
    { "l2_req_b", AMOUNT(writes), { 0 } },
};

static uint64_t random_event(OnboardRandom *source)
{
    switch (OnboardDraw(source, 16)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return OnboardDraw(source, 10);
    case 3:
        return OnboardDraw(source, (uint64_t) 1 << 40);
    default:
        return OnboardDraw(source, 50000);
    }
}

uint64_t OnboardLoadEvent(const OnboardLoad *load, const char *name, OnboardRandom *source)
{
    uint64_t amount = 0;

    if (load->is_random) {
        return random_event(source);
    }
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        if (strcmp(counters[i].name, name) == 0) {
            const uint64_t unit = counters[i].unit[load->series];
            memcpy(&amount, (const char *) load + counters[i].amount, sizeof amount);
            return up(amount, unit == 0 ? 1 : unit);
        }
    }
    if (strstr(name, "cyc") != NULL && strstr(name, "xcore") == NULL) {
        return load->cycles / 50 + OnboardDraw(source, 1 + load->cycles / 100);
    }
    return 0;
}
