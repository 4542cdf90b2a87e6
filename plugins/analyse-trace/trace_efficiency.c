/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-efficiency: how close operators whose arithmetic is known come to the device's peak.
 * Tested by tests/plugins/analyse-trace/test_efficiency.sh.
 */
#include "peaks.h"
#include "analyse-trace/common/feed.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/grow.h>
#include <opprof/map.h>
#include <opprof/records/host.h>
#include <stdlib.h>
#include <string.h>

/* Common members of calls of one kind; its bytes are the key of a map. */
typedef struct ProductKey {
    uint32_t name;
    uint32_t shape;
    uint32_t type;
} ProductKey;

/* All calls of one kind. */
typedef struct Product {
    ProductKey key;
    uint32_t device;
    uint64_t count;
    uint64_t device_ticks;
    double flops; /* of a call */
    double bytes; /* of a call; NaN: unknown */
} Product;

#define CLOCK_MARGIN 1.1 /* devices run at more than their rated clock, an H100 SXM at 1.98/1.83 */

enum { OUTPUT_EFFICIENCY, OUTPUT_PEAKS };

typedef struct ProductRow {
    uint32_t rank;
    uint32_t name;
    uint32_t shape;
    uint32_t type;
    uint32_t device;
    uint32_t bound;
    uint64_t count;
    double device_us;
    double flops;
    double tflops;
    double bytes;
    double bandwidth;
    double intensity;
    double attainable;
    double percent;
} ProductRow;

typedef struct PeakRow {
    uint32_t device;
    uint32_t type;
    double flops; /* 1e12 a second */
    double bandwidth;
    double ridge;
    uint32_t source;
    uint32_t reserved;
} PeakRow;

/* What the operators of a rank did so far. */
typedef struct RankProducts {
    OpprofTextMap places;
    Product *list;
    size_t count;
    size_t capacity;
} RankProducts;

typedef struct Efficiency {
    Feed feed; /* first: see FeedCreate */
    DevicePeaks peaks;
    const char *device; /* given in place of what traces state; NULL: not given */
    uint64_t faster;    /* rows whose rate is above the peak */
    uint32_t fastest;   /* operator of the first of them */
    PeakRow *used;      /* peaks of the devices and types that occurred, each once */
    size_t used_count;
    size_t used_capacity;
} Efficiency;

#define PRODUCT_KEY(member, text)                                                                  \
    OPPROF_FIELD(ProductRow, member, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,               \
                 .meaning = (text))
#define PRODUCT_NUMBER(member, rule, unit_text, head, places, text, why)                           \
    OPPROF_FIELD(ProductRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_##rule,           \
                 .unit = (unit_text), .heading = (head), .decimals = (places) + 1,                 \
                 .meaning = (text), .absent = (why))

static const char no_type[] = "the trace does not name the type of the elements";
static const char no_time[] = "the device took no time";
static const char no_peak[] =
    "the device's peaks are unknown: see the parameters 'device' and 'peaks'";
static const char no_share[] =
    "the device's peaks are unknown, or the rate is above them by more than a tenth, so that they "
    "are not this device's, or the trace lacks work: see the parameters 'device' and 'peaks'";

static const OpprofField fields[] = {
    OPPROF_FIELD(ProductRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    PRODUCT_KEY(name, "Operator."),
    PRODUCT_KEY(shape, "Shapes of its inputs."),
    PRODUCT_KEY(type, "Type of its elements."),
    OPPROF_FIELD(ProductRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Calls."),
    PRODUCT_NUMBER(device_us, LONGEST, "us", "device_time(us)", 3,
                   "Device work launched in the calls.", NULL),
    PRODUCT_NUMBER(flops, MEAN, "1", "flops", 0, "Operations of a call; multiply and add are two.",
                   NULL),
    PRODUCT_NUMBER(tflops, MEAN, "TFLOP/s", "rate(TFLOP/s)", 3,
                   "Operations over the device's time.", no_time),
    PRODUCT_NUMBER(bytes, MEAN, "byte", "bytes", 0,
                   "Minimum that a call moves: each input once, the result once.", no_type),
    PRODUCT_NUMBER(bandwidth, MEAN, "GB/s", "least_bandwidth(GB/s)", 3,
                   "Those bytes over the device's time.", no_type),
    PRODUCT_NUMBER(intensity, MEAN, "FLOP/byte", "intensity(FLOP/byte)", 3,
                   "Operations over those bytes.", no_type),
    PRODUCT_NUMBER(attainable, MEAN, "TFLOP/s", "roof(TFLOP/s)", 3,
                   "Peak of the device at that intensity: the smaller of its peak for the type, "
                   "and of intensity times the bandwidth of its memory.",
                   no_peak),
    PRODUCT_NUMBER(percent, MEAN, "%", "share_of_roof(%)", 2,
                   "The rate as a part of that peak; 100 where it is above the peak by a clock "
                   "beyond the rated one, or by data from caches.",
                   no_share),
    OPPROF_FIELD(ProductRow, bound, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Which of the two is the roof: compute or memory; cache: the rate is "
                            "above what memory allows, so data came from caches.",
                 .absent = no_share),
    OPPROF_FIELD(ProductRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Model of the device.", .absent = "the trace does not say"),
};

static const OpprofRecordType product_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.efficiency",
    .summary = "How close operators come to the device's peak.",
    .size = sizeof(ProductRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Efficiency of operators",
    .file_hint = "efficiency",
};

static const OpprofField peak_fields[] = {
    OPPROF_FIELD(PeakRow, device, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Model of the device."),
    OPPROF_FIELD(PeakRow, type, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Type of the elements."),
    OPPROF_FIELD(PeakRow, flops, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "TFLOP/s", .heading = "peak(TFLOP/s)", .decimals = 4,
                 .meaning = "Most operations a second on elements of the type."),
    OPPROF_FIELD(PeakRow, bandwidth, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "GB/s", .heading = "bandwidth(GB/s)", .decimals = 4,
                 .meaning = "Most bytes a second from and to its memory."),
    OPPROF_FIELD(PeakRow, ridge, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "FLOP/byte", .heading = "ridge(FLOP/byte)", .decimals = 4,
                 .meaning = "Intensity from which on operations are the bound."),
    OPPROF_FIELD(PeakRow, source, OPPROF_FIELD_STRING, .meaning = "Source of the peaks.",
                 .absent = "the file of peaks names none"),
};

static const OpprofRecordType peak_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.device-peaks",
    .summary = "Peaks of the devices, with sources.",
    .size = sizeof(PeakRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = peak_fields,
    .field_count = OPPROF_COUNT(peak_fields),
    .title = "Peaks of devices",
    .file_hint = "device_peaks",
};

/* ---- collecting ---- */

static Product *find_product(RankProducts *rank, const OpprofShapedCall *call)
{
    const ProductKey key = { call->name, call->shape, call->type };
    const uint32_t place = OpprofTextMapFind(&rank->places, (const char *) &key, sizeof key);

    if (place != OPPROF_MAP_NONE) {
        return &rank->list[place];
    }
    if (!OpprofGrow(&rank->list, &rank->capacity, rank->count + 1, sizeof *rank->list) ||
        !OpprofTextMapPut(&rank->places, (const char *) &key, sizeof key, (uint32_t) rank->count,
                          NULL)) {
        return NULL;
    }
    rank->list[rank->count] =
        (Product){ .key = key, .device = call->device, .flops = call->flops, .bytes = call->bytes };
    return &rank->list[rank->count++];
}

static OpprofStatus read_batch(void *context, FeedRank *rank, const OpprofBatch *batch)
{
    const OpprofShapedCall *calls = batch->records;

    (void) context;
    for (uint32_t i = 0; i < batch->count; i++) {
        Product *product = find_product(rank->state, &calls[i]);

        if (product == NULL) {
            return OPPROF_E_MEMORY;
        }
        product->count++;
        product->device_ticks += calls[i].device_total;
    }
    return OPPROF_OK;
}

/* ---- rows ---- */

/* NULL: the trace does not say. */
static const char *device_of(const Efficiency *self, const Product *product)
{
    if (self->device != NULL) {
        return self->device;
    }
    return product->device == OPPROF_NA_STRING
               ? NULL
               : OpprofStageString(self->feed.stage, product->device);
}

/* The lesser of two peaks, and which it is. */
static void put_roof(Efficiency *self, const char *device, ProductRow *row)
{
    const DevicePeak peak =
        DevicePeaksFind(&self->peaks, device, OpprofStageString(self->feed.stage, row->type));
    const double by_memory = row->intensity * peak.bytes_a_second / 1e12;
    const double by_compute = peak.flops_a_second / 1e12;
    const char *bound = by_memory >= by_compute   ? "compute"
                        : row->tflops > by_memory ? "cache"
                                                  : "memory";

    row->attainable = row->percent = OpprofNaF64();
    row->bound = OPPROF_NA_STRING;
    if (isnan(by_memory) || isnan(by_compute)) {
        return;
    }
    row->attainable = by_memory < by_compute ? by_memory : by_compute;
    if (row->tflops > CLOCK_MARGIN * by_compute) {
        self->fastest = self->faster == 0 ? row->name : self->fastest;
        self->faster++;
        return;
    }
    if (!isnan(row->tflops)) {
        row->percent = fmin(100, 100 * row->tflops / row->attainable);
    }
    row->bound = OpprofStageIntern(self->feed.stage, bound, strlen(bound));
}

static ProductRow row_of(Efficiency *self, const FeedRank *rank, const Product *product)
{
    const Rows texts = { .stage = self->feed.stage };
    const double us = (double) product->device_ticks * rank->us_a_tick;
    const double calls = (double) product->count;
    const char *device = device_of(self, product);
    ProductRow row = {
        .rank = rank->name,
        .name = product->key.name,
        .shape = product->key.shape,
        .type = product->key.type,
        .device = RowsText(&texts, device),
        .count = product->count,
        .device_us = us,
        .flops = product->flops,
        .tflops = us > 0 ? product->flops * calls / us / 1e6 : OpprofNaF64(),
        .bytes = product->bytes,
        .bandwidth =
            us > 0 && !isnan(product->bytes) ? product->bytes * calls / us / 1e3 : OpprofNaF64(),
        .intensity = product->bytes > 0 ? product->flops / product->bytes : OpprofNaF64(),
    };

    put_roof(self, device, &row);
    return row;
}

/* Most of the device's time first; then by what people see, since ids depend on chance. */
static int compare(const void *a, const void *b, void *context)
{
    const OpprofStage *stage = context;
    const Product *left = a;
    const Product *right = b;
    const uint32_t lefts[] = { left->key.name, left->key.shape, left->key.type };
    const uint32_t rights[] = { right->key.name, right->key.shape, right->key.type };
    int order =
        (left->device_ticks < right->device_ticks) - (left->device_ticks > right->device_ticks);

    for (size_t i = 0; order == 0 && i < OPPROF_COUNT(lefts); i++) {
        if (lefts[i] != rights[i]) {
            const char *one = OpprofStageString(stage, lefts[i]);
            const char *other = OpprofStageString(stage, rights[i]);

            order = strcmp(one == NULL ? "" : one, other == NULL ? "" : other);
        }
    }
    return order;
}

/* One device and type of elements, by what people see. */
static int compare_peaks(const void *a, const void *b, void *context)
{
    const OpprofStage *stage = context;
    const PeakRow *left = a;
    const PeakRow *right = b;
    const int order =
        strcmp(OpprofStageString(stage, left->device), OpprofStageString(stage, right->device));

    return order != 0 ? order
                      : strcmp(OpprofStageString(stage, left->type),
                               OpprofStageString(stage, right->type));
}

/* The row of a product's device and type; false where a peak is unknown. */
static bool make_peak(const Efficiency *self, const ProductRow *product, PeakRow *ret_row)
{
    const Rows texts = { .stage = self->feed.stage };
    const char *device = OpprofStageString(self->feed.stage, product->device);
    const DevicePeak peak =
        DevicePeaksFind(&self->peaks, device, OpprofStageString(self->feed.stage, product->type));

    *ret_row = (PeakRow){ .device = product->device, .type = product->type };
    if (isnan(peak.flops_a_second) || isnan(peak.bytes_a_second)) {
        return false;
    }
    ret_row->flops = peak.flops_a_second / 1e12;
    ret_row->bandwidth = peak.bytes_a_second / 1e9;
    ret_row->ridge = peak.flops_a_second / peak.bytes_a_second;
    ret_row->source = RowsText(&texts, peak.source);
    return true;
}

/* Keep the peaks of the product's device and type. False without memory. */
static bool note_peak(Efficiency *self, const ProductRow *product)
{
    PeakRow peak;

    if (!make_peak(self, product, &peak)) {
        return true;
    }
    for (size_t i = 0; i < self->used_count; i++) {
        if (self->used[i].device == peak.device && self->used[i].type == peak.type) {
            return true;
        }
    }
    if (!OpprofGrow(&self->used, &self->used_capacity, self->used_count + 1, sizeof *self->used)) {
        return false;
    }
    self->used[self->used_count++] = peak;
    return true;
}

static OpprofStatus put_peaks(const Efficiency *self)
{
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_PEAKS };

    if (self->used_count > 1) {
        qsort_r(self->used, self->used_count, sizeof *self->used, compare_peaks, self->feed.stage);
    }
    for (size_t i = 0; i < self->used_count; i++) {
        PeakRow *row = RowsNext(&rows);

        if (row != NULL) {
            *row = self->used[i];
        }
    }
    return RowsEnd(&rows);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Efficiency *self = context;
    const RankProducts *products = rank->state;
    OpprofStatus status = OPPROF_OK;

    if (products->count > 1) {
        qsort_r(products->list, products->count, sizeof *products->list, compare, self->feed.stage);
    }
    for (size_t i = 0; status == OPPROF_OK && i < products->count; i++) {
        const ProductRow row = row_of(self, rank, &products->list[i]);

        status = FeedHand(&self->feed, 0, rank, &row);
    }
    return status;
}

static OpprofStatus accept_row(void *context, const FeedRank *rank, const void *record)
{
    Efficiency *self = context;

    return note_peak(self, record)
               ? FeedAddRow(&self->feed, OUTPUT_EFFICIENCY, rank->name, record, sizeof(ProductRow))
               : OPPROF_E_MEMORY;
}

static void free_state(void *state)
{
    RankProducts *products = state;

    OpprofTextMapFinish(&products->places);
    free(products->list);
}

/* ---- the end ---- */

/* A device that is misspelt would only leave its peaks absent. */
static void warn_unknown_device(const Efficiency *self)
{
    if (self->feed.given > 0 && self->device != NULL &&
        isnan(DevicePeaksFind(&self->peaks, self->device, NULL).bytes_a_second)) {
        OpprofStageWarn(self->feed.stage,
                        "Parameter 'device': no peaks are known for '%s'; parameter 'peaks' takes "
                        "a file of others",
                        self->device);
    }
}

/* Nothing is faster than its peak. */
static void warn_faster(const Efficiency *self)
{
    if (self->faster > 0) {
        OpprofStageWarn(self->feed.stage,
                        "Rates above the device's peak: %" PRIu64
                        ", the first of '%s'. The peaks are not this device's, or the trace lacks "
                        "work of these operators: see the parameters 'device' and 'peaks'",
                        self->faster, OpprofStageString(self->feed.stage, self->fastest));
    }
}

static OpprofStatus put_all(void *context)
{
    const Efficiency *self = context;

    warn_unknown_device(self);
    warn_faster(self);
    return put_peaks(self);
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Efficiency *self = context;

    self->device = OpprofParamsString(params, "device");
    return DevicePeaksLoad(OpprofParamsString(params, "peaks"), &self->peaks, self->feed.error);
}

static void finish(void *context)
{
    Efficiency *self = context;

    DevicePeaksFinish(&self->peaks);
    free(self->used);
}

static const FeedPart parts[] = {
    { .size = sizeof(ProductRow), .table = FEED_PORTS, .accept = accept_row },
};

static const FeedOps feed_ops = {
    .size = sizeof(Efficiency),
    .state_size = sizeof(RankProducts),
    .configure = configure,
    .read = read_batch,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_PEAKS + 1,
};

#define PARTIALS FEED_ROWS("efficiency-partial", "trace.efficiency", product_type)

static const OpprofPort inputs[] = {
    { .name = "shaped",
      .type = "host.shaped-call",
      .record_type = &opprof_shaped_call_type,
      .summary = "Operators whose arithmetic is known; a partition is a rank." },
    PARTIALS,
};

static const OpprofPort outputs[] = {
    [OUTPUT_EFFICIENCY] = { .name = "efficiency",
                            .record_type = &product_type,
                            .summary = "One row per rank, operator, shapes and type, most of the "
                                       "device's time first." },
    [OUTPUT_PEAKS] = { .name = "peaks",
                       .record_type = &peak_type,
                       .summary = "The peaks that the rows were compared with, with sources." },
    PARTIALS,
};

static const OpprofParam params[] = {
    { .name = "device",
      .type = OPPROF_PARAM_STRING,
      .summary = "Model of the device, in place of the one stated in the trace; part of its name "
                 "is enough." },
    { .name = "peaks",
      .type = OPPROF_PARAM_PATH,
      .summary = "File with peaks of devices in place of those that come with the module; see "
                 "device_peaks.json." },
};

FEED_DEFINE(feed_ops, inputs, outputs, .params = params, .param_count = OPPROF_COUNT(params),
            .name = "trace-efficiency",
            .summary = "Shows how close operators come to the device's peak.",
            .help = "Products, convolutions and attention by the shapes of their inputs, where the "
                    "trace has them (record_shapes in PyTorch): operations and least bytes over "
                    "the device's time, against the peaks of the device.");
