/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is known of a timeline beside its packed spans. Tested by
 * tests/plugins/viz-html/test_timeline. */
#include "timeline_writer.h"

#include "packed.h"

#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

static void put_signed(OpprofJsonOut *json, const char *name, int64_t number)
{
    OpprofJsonPutKey(json, name);
    OpprofJsonPutI64(json, number);
}

static void put_levels(const Levels *levels, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, ",\"levels\":[");
    for (uint32_t i = 0; i < levels->count; i++) {
        OpprofJsonPutRaw(json, i == 0 ? "{" : ",\n{");
        TextMemberNumber(json, "grain", levels->grains[i]);
        TextMemberNumber(json, "items", levels->items[i]);
        OpprofJsonPutRaw(json, ",\"lanes\":[");
        OpprofJsonPutBytes(json, levels->lanes[i].text, levels->lanes[i].length);
        OpprofJsonPutRaw(json, "]}");
    }
    OpprofJsonPutRaw(json, "]");
}

/* Times of curves reach as far as those of spans may. */
static void put_range(const Timeline *self, OpprofJsonOut *json)
{
    int64_t first = self->items.has_any ? self->items.first : self->curves.first;
    int64_t last = self->items.has_any ? self->items.last : self->curves.last;

    if (self->items.has_any && self->curves.has_any) {
        first = self->curves.first < first ? self->curves.first : first;
        last = self->curves.last > last ? self->curves.last : last;
    }
    put_signed(json, "origin", self->items.first);
    put_signed(json, "first", first);
    put_signed(json, "last", last);
}

void TimelinePutFacts(const Timeline *self, const Levels *levels, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "{");
    TextMemberNumber(json, "unit", levels->unit);
    put_range(self, json);
    TextMemberNumber(json, "spans", self->items.spans);
    TextMemberNumber(json, "grain", self->items.grain);
    TextMemberNumber(json, "width", self->items.width);
    TextMemberNumber(json, "arguments_least", self->arguments.least);
    TextMemberNumber(json, "arguments_left_out", self->arguments.left_out);
    TextMemberNumber(json, "arrows", self->arrows.total);
    TextMemberNumber(json, "arrow_count", self->arrows.count);
    TextMemberNumber(json, "lanes_left_out", self->lanes.left_out);
    TextMemberNumber(json, "halves_left_out",
                     self->begins.left_out + HalvesWaiting(&self->begins) + self->arrows.left_out);
    TextMemberNumber(json, "samples", self->curves.samples);
    TextMemberNumber(json, "samples_left_out", self->curves.left_out);
    OpprofJsonPutRaw(json, ",\"lanes\":[");
    LanesPut(&self->lanes, json);
    OpprofJsonPutRaw(json, "]");
    put_levels(levels, json);
    OpprofJsonPutRaw(json, ",\"curves\":[");
    CurvesPut(&self->curves, self->names, json);
    OpprofJsonPutRaw(json, "]}");
}

/* Of times at both ends of their range it is a wrong one, but a number. */
static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t) ((uint64_t) a - (uint64_t) b);
}

void TimelinePutArrows(const Timeline *self, const Levels *levels, OpprofJsonOut *text)
{
    int64_t before = self->items.first;
    OpprofJsonOut bytes = { 0 };

    for (uint32_t i = 0; i < self->arrows.count; i++) {
        const Arrow *arrow = &self->arrows.list[i];
        const int64_t unit = levels->unit;

        PackSigned(&bytes, difference(arrow->from, before) / unit);
        PackSigned(&bytes, difference(arrow->to, arrow->from) / unit);
        PackNumber(&bytes, arrow->from_lane);
        PackNumber(&bytes, arrow->to_lane);
        before = arrow->from;
    }
    PackText(text, bytes.text, bytes.length);
    text->is_short = text->is_short || bytes.is_short;
    OpprofJsonOutFinish(&bytes);
}
