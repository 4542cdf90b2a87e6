/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the samples of counters. Tested by tests/plugins/viz-html/test_timeline. */
#include "curves.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/text.h>
#include <opprof/intern.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The curve of a sample; NULL: too many curves, or no memory. */
static Curve *find_curve(Curves *self, uint32_t lane, const OpprofCounter *counter,
                         bool *ret_is_good)
{
    const uint32_t key[3] = { lane, counter->name, counter->series };
    uint64_t hash;
    uint32_t place;

    *ret_is_good = true;
    if (self->latest < self->count && self->curves[self->latest].lane == lane &&
        self->curves[self->latest].name == counter->name &&
        self->curves[self->latest].series == counter->series) {
        return &self->curves[self->latest];
    }
    hash = OpprofInternHash(0, key, sizeof key);
    place = OpprofMapFind(&self->places, hash);
    if (place == OPPROF_MAP_NONE) {
        if (self->count == PAGE_CURVES) {
            return NULL;
        }
        if (!OpprofGrow32(&self->curves, &self->capacity, (size_t) self->count + 1,
                          sizeof *self->curves) ||
            !OpprofMapPut(&self->places, hash, self->count)) {
            *ret_is_good = false;
            return NULL;
        }
        place = self->count++;
        self->curves[place] =
            (Curve){ .lane = lane, .name = counter->name, .series = counter->series, .joined = 1 };
    }
    self->latest = place;
    return &self->curves[place];
}

static void join(Sample *sample, const Sample *next)
{
    sample->low = next->low < sample->low ? next->low : sample->low;
    sample->high = next->high > sample->high ? next->high : sample->high;
    sample->last = next->last;
}

/* Joins neighbours in pairs. */
static void halve(Curve *curve)
{
    const uint32_t count = curve->count;

    curve->count = 0;
    for (uint32_t i = 0; i < count; i += 2) {
        curve->samples[curve->count] = curve->samples[i];
        if (i + 1 < count) {
            join(&curve->samples[curve->count], &curve->samples[i + 1]);
        }
        curve->count++;
    }
    curve->joined *= 2;
    curve->pending = curve->joined;
}

static bool append(Curve *curve, const Sample *sample)
{
    if (curve->joined > 1 && curve->pending < curve->joined && curve->count > 0) {
        join(&curve->samples[curve->count - 1], sample);
        curve->pending++;
        return true;
    }
    if (curve->count == PAGE_CURVE_SAMPLES) {
        halve(curve);
    }
    if (!OpprofGrow32(&curve->samples, &curve->capacity, (size_t) curve->count + 1,
                      sizeof *curve->samples)) {
        return false;
    }
    curve->samples[curve->count++] = *sample;
    curve->pending = 1;
    return true;
}

bool CurvesTake(Curves *self, uint32_t lane, const OpprofCounter *counter, int64_t time)
{
    const Sample sample = {
        .time = time, .last = counter->value, .low = counter->value, .high = counter->value
    };
    Curve *curve;
    bool is_good;

    if (!isfinite(counter->value)) { /* nothing was measured */
        return true;
    }
    self->samples++;
    self->first = !self->has_any || time < self->first ? time : self->first;
    self->last = !self->has_any || time > self->last ? time : self->last;
    self->has_any = true;
    curve = find_curve(self, lane, counter, &is_good);
    if (curve == NULL) {
        self->left_out += is_good;
        return is_good;
    }
    return append(curve, &sample);
}

static int by_time(const void *one, const void *other)
{
    const Sample *a = one;
    const Sample *b = other;

    return (a->time > b->time) - (a->time < b->time);
}

static int compare_curves(const void *one, const void *other, void *context)
{
    const Curve *a = one;
    const Curve *b = other;
    int order = (a->lane > b->lane) - (a->lane < b->lane);

    if (order == 0) {
        order = strcmp(OpprofStageString(context, a->name), OpprofStageString(context, b->name));
    }
    return order == 0 ? strcmp(OpprofStageString(context, a->series),
                               OpprofStageString(context, b->series))
                      : order;
}

void CurvesSettle(Curves *self, const OpprofStage *stage)
{
    uint64_t total = 0;

    if (self->count > 0) {
        qsort_r(self->curves, self->count, sizeof *self->curves, compare_curves,
                (void *) (uintptr_t) stage);
    }

    for (uint32_t i = 0; i < self->count; i++) {
        if (self->curves[i].count > 0) {
            qsort(self->curves[i].samples, self->curves[i].count, sizeof(Sample), by_time);
        }
        total += self->curves[i].count;
    }
    while (total > PAGE_SAMPLES) {
        Curve *largest = &self->curves[0];

        for (uint32_t i = 1; i < self->count; i++) {
            largest = self->curves[i].count > largest->count ? &self->curves[i] : largest;
        }
        total -= largest->count;
        halve(largest);
        total += largest->count;
    }
}

/* [time, value, …], or [time, lowest, highest, …] where samples are joined. */
static void put_samples(const Curve *curve, OpprofJsonOut *json)
{
    int64_t before = 0;

    for (uint32_t i = 0; i < curve->count; i++) {
        const Sample *sample = &curve->samples[i];

        OpprofJsonPutRaw(json, i == 0 ? "" : ",");
        OpprofJsonPutI64(json, (int64_t) ((uint64_t) sample->time - (uint64_t) before));
        before = sample->time;
        OpprofJsonPutBytes(json, ",", 1);
        OpprofJsonPutF64(json, curve->joined == 1 ? sample->last : sample->low);
        if (curve->joined > 1) {
            OpprofJsonPutBytes(json, ",", 1);
            OpprofJsonPutF64(json, sample->high);
        }
    }
}

void CurvesPut(const Curves *self, Names *names, OpprofJsonOut *json)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const Curve *curve = &self->curves[i];

        OpprofJsonPutRaw(json, i == 0 ? "{" : ",\n{");
        TextMemberNumber(json, "lane", curve->lane);
        TextMemberNumber(json, "name", NamesNumber(names, curve->name));
        TextMemberNumber(json, "series", NamesNumber(names, curve->series));
        TextMemberNumber(json, "joined", curve->joined);
        OpprofJsonPutRaw(json, ",\"samples\":[");
        put_samples(curve, json);
        OpprofJsonPutRaw(json, "]}");
    }
}

void CurvesFinish(Curves *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        free(self->curves[i].samples);
    }
    free(self->curves);
    OpprofMapFinish(&self->places);
}
