/* SPDX-License-Identifier: Apache-2.0 */
/* Matches begins with ends. Tested by tests/plugins/viz-html/test_timeline. */
#include "halves.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/intern.h>

#include <stdlib.h>

uint64_t HalvesKey(uint32_t lane, const char *id, size_t length)
{
    return OpprofInternHash(OpprofInternHash(0, &lane, sizeof lane), id, length);
}

bool HalvesTake(Halves *self, uint64_t key, Half *ret_half)
{
    const uint32_t place = OpprofMapRemove(&self->places, key);

    if (place == OPPROF_MAP_NONE) {
        return false;
    }
    *ret_half = self->halves[place];
    self->halves[place].arguments = NULL;
    self->unused[self->unused_count++] = place; /* room exists: HalvesPut made it */
    return true;
}

static bool find_place(Halves *self, uint32_t *ret_place)
{
    if (self->unused_count > 0) {
        *ret_place = self->unused[--self->unused_count];
        return true;
    }
    if (!OpprofGrow32(&self->halves, &self->capacity, (size_t) self->count + 1,
                      sizeof *self->halves) ||
        !OpprofGrow32(&self->unused, &self->unused_capacity, (size_t) self->count + 1,
                      sizeof *self->unused)) {
        return false;
    }
    *ret_place = self->count++;
    return true;
}

bool HalvesPut(Halves *self, const Half *half)
{
    Half older;
    uint32_t place;

    if (HalvesTake(self, half->key, &older)) {
        self->left_out++;
        free(older.arguments);
    }
    if (HalvesWaiting(self) == PAGE_OPEN) {
        self->left_out++;
        free(half->arguments);
        return true;
    }
    if (!find_place(self, &place)) {
        free(half->arguments);
        return false;
    }
    self->halves[place] = *half;
    return OpprofMapPut(&self->places, half->key, place);
}

uint32_t HalvesWaiting(const Halves *self)
{
    return self->count - self->unused_count;
}

void HalvesFinish(Halves *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        free(self->halves[i].arguments);
    }
    free(self->halves);
    free(self->unused);
    OpprofMapFinish(&self->places);
}
