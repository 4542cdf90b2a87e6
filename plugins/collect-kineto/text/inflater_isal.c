/* SPDX-License-Identifier: Apache-2.0 */
/* Inflates gzip with ISA-L. Tested by tests/plugins/collect-kineto/test_trace_reader. */
#include "collect-kineto/text/inflater.h"

#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <stdlib.h>

struct Inflater {
    struct inflate_state state;
};

Inflater *InflaterCreate(void)
{
    Inflater *inflater = calloc(1, sizeof *inflater);

    if (inflater != NULL) {
        InflaterReset(inflater);
    }
    return inflater;
}

void InflaterDestroy(Inflater *inflater)
{
    free(inflater);
}

bool InflaterReset(Inflater *inflater)
{
    isal_inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP;
    return true;
}

static uint32_t at_most(size_t size)
{
    return size > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t) size;
}

/* Whole bytes that were taken but lie after the member. */
static void give_back(struct inflate_state *state, InflateBuffers *buffers)
{
    const size_t spare = state->read_in_length > 0 ? (size_t) state->read_in_length / 8 : 0;

    buffers->in -= spare;
    buffers->in_left += spare;
    state->read_in_length = 0;
}

InflateResult InflaterRun(Inflater *inflater, InflateBuffers *buffers)
{
    struct inflate_state *state = &inflater->state;
    const uint32_t in = at_most(buffers->in_left);
    const uint32_t out = at_most(buffers->out_left);
    uint8_t *first_in = (uint8_t *) (uintptr_t) buffers->in; /* the library does not write there */
    int result;

    state->next_in = first_in;
    state->avail_in = in;
    state->next_out = buffers->out;
    state->avail_out = out;
    result = isal_inflate(state);
    buffers->in += in - state->avail_in;
    buffers->in_left -= in - state->avail_in;
    buffers->out += out - state->avail_out;
    buffers->out_left -= out - state->avail_out;
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
        return INFLATE_DAMAGED;
    }
    if (state->block_state != ISAL_BLOCK_FINISH) {
        return INFLATE_MORE;
    }
    give_back(state, buffers);
    return INFLATE_MEMBER;
}
