/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled formulas that outlive their use, so that a process compiles them once.
 * Tested by tests/kit/metrics/test_metrics.
 */
#include "kit/facts/chip_file.h"
#include "kit/metrics/metrics.h"

#include <opprof/grow.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEPT 64u /* far more than there are analyses of one chip */

/* Guards the list, the newest first. A leaf. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static OpprofMetrics *kept;
static uint32_t kept_count;

static const char *formula_of(const MetricAdded *added)
{
    return (const char *) &added->members[added->scopes];
}

static bool is_same(const MetricAdded *added, const char *formula, const OpprofMetricScope *scope)
{
    for (size_t i = 0; i < added->scopes; i++, scope = scope->outer) {
        if (scope == NULL || scope->members != added->members[i]) {
            return false;
        }
    }
    return scope == NULL && strcmp(formula_of(added), formula) == 0;
}

static OpprofMetrics *take(const OpprofMetrics *wanted, const void *owner)
{
    OpprofMetrics *found = NULL;

    pthread_mutex_lock(&lock);
    for (OpprofMetrics **at = &kept; *at != NULL; at = &(*at)->next) {
        if ((*at)->owner == owner && (*at)->chip == wanted->chip &&
            strcmp((*at)->variant, wanted->variant) == 0) {
            found = *at;
            *at = found->next;
            kept_count--;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void MetricsTakeOver(OpprofMetrics *metrics, const void *owner)
{
    OpprofMetrics *found = take(metrics, owner);

    metrics->owner = owner;
    if (found != NULL) {
        free(metrics->variant);
        *metrics = *found;
        metrics->next = NULL;
        free(found);
        ChipLetGo(metrics->chip); /* its user has a use of its own */
    }
}

const OpprofFormula *MetricsRepeat(OpprofMetrics *metrics, const char *formula,
                                   const OpprofMetricScope *scope)
{
    if (metrics->repeated == metrics->added_count ||
        !is_same(metrics->added[metrics->repeated], formula, scope)) {
        metrics->is_odd = metrics->is_odd || metrics->repeated != metrics->added_count;
        return NULL;
    }
    return metrics->added[metrics->repeated++]->expression;
}

bool MetricsNote(OpprofMetrics *metrics, const char *formula, const OpprofMetricScope *scope,
                 const OpprofFormula *expression)
{
    const size_t size = strlen(formula) + 1;
    size_t scopes = 0;

    for (const OpprofMetricScope *at = scope; at != NULL; at = at->outer) {
        scopes++;
    }
    MetricAdded *added = malloc(sizeof *added + scopes * sizeof(const OpprofFact *) + size);
    if (added == NULL || !OpprofGrow32(&metrics->added, &metrics->added_capacity,
                                       (size_t) metrics->added_count + 1, sizeof *metrics->added)) {
        free(added);
        return false;
    }
    added->expression = expression;
    added->scopes = scopes;
    for (size_t i = 0; i < scopes; i++, scope = scope->outer) {
        added->members[i] = scope->members;
    }
    memcpy(&added->members[scopes], formula, size);
    metrics->added[metrics->added_count++] = added;
    metrics->repeated = metrics->added_count;
    return true;
}

/* The one that was kept longest, if there are too many. To be called with the lock. */
static OpprofMetrics *drop_oldest(void)
{
    OpprofMetrics **at = &kept;

    if (kept_count <= MOST_KEPT) {
        return NULL;
    }
    while ((*at)->next != NULL) {
        at = &(*at)->next;
    }
    OpprofMetrics *oldest = *at;
    *at = NULL;
    kept_count--;
    return oldest;
}

static void destroy_kept(OpprofMetrics *metrics)
{
    ChipLetGo(metrics->chip);
    MetricsDestroy(metrics);
}

void MetricsKeep(OpprofMetrics *metrics)
{
    if (metrics->owner == NULL || metrics->is_odd || metrics->inputs == NULL) {
        MetricsDestroy(metrics);
        return;
    }
    free(metrics->inputs);
    metrics->inputs = NULL;
    OpprofInputsFinish(&metrics->values);
    metrics->repeated = 0;
    ChipHold(metrics->chip);
    pthread_mutex_lock(&lock);
    metrics->next = kept;
    kept = metrics;
    kept_count++;
    OpprofMetrics *oldest = drop_oldest();
    pthread_mutex_unlock(&lock);
    if (oldest != NULL) {
        destroy_kept(oldest);
    }
}

void MetricsForget(void)
{
    pthread_mutex_lock(&lock);
    OpprofMetrics *list = kept;
    kept = NULL;
    kept_count = 0;
    pthread_mutex_unlock(&lock);
    while (list != NULL) {
        OpprofMetrics *next = list->next;
        destroy_kept(list);
        list = next;
    }
}
