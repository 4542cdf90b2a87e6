/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much an operator computes and moves, from the shapes of its inputs.
 * Tested by tests/plugins/collect-kineto/test_shapes.
 */
#include "collect-kineto/rank/shapes.h"

#include <inttypes.h>
#include <jansson.h>
#include <opprof/json.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define TENSORS_MAX 4u
#define DIMS_MAX 8u
#define DIM_GREATEST (INT64_C(1) << 40)

/* A tensor's dimensions, the outermost first. */
typedef struct Dims {
    int64_t of[DIMS_MAX];
    size_t count;
} Dims;

/* ---- arguments ---- */

static bool read_dims(const json_t *array, Dims *ret_dims)
{
    ret_dims->count = json_array_size(array);
    if (!json_is_array(array) || ret_dims->count > DIMS_MAX) {
        return false;
    }
    for (size_t i = 0; i < ret_dims->count; i++) {
        const json_t *dim = json_array_get(array, i);

        ret_dims->of[i] = json_integer_value(dim);
        if (!json_is_integer(dim) || ret_dims->of[i] < 0 || ret_dims->of[i] > DIM_GREATEST) {
            return false;
        }
    }
    return true;
}

/* Arguments are JSON; NULL if this one is not. */
static json_t *parse(JsonText text)
{
    return text.length == 0 ? NULL : OpprofJsonValue(text.text, text.length, JSON_DECODE_ANY);
}

/* Tensors `first` and the following. */
static bool read_tensors(const TraceEvent *event, size_t first, size_t count, Dims *ret_tensors)
{
    json_t *list = parse(event->dims);
    bool is_good = json_is_array(list);

    for (size_t i = 0; is_good && i < count; i++) {
        is_good = read_dims(json_array_get(list, first + i), &ret_tensors[i]);
    }
    json_decref(list);
    return is_good;
}

/* Bytes of an element of the type of tensor `which`; 0: unknown. */
static double element_bytes(const TraceEvent *event, size_t which)
{
    static const struct {
        const char *type;
        double bytes;
    } types[] = { { "c10::Half", 2 },
                  { "c10::BFloat16", 2 },
                  { "float", 4 },
                  { "double", 8 },
                  { "signed char", 1 },
                  { "unsigned char", 1 },
                  { "int", 4 },
                  { "long int", 8 },
                  { "c10::Float8_e4m3fn", 1 },
                  { "c10::Float8_e5m2", 1 },
                  { "c10::Float8_e4m3fnuz", 1 },
                  { "c10::Float8_e5m2fnuz", 1 } };
    json_t *list = parse(event->types);
    const char *type = json_string_value(json_array_get(list, which));
    double bytes = 0;

    for (size_t i = 0; type != NULL && bytes == 0 && i < sizeof types / sizeof types[0]; i++) {
        bytes = strcmp(type, types[i].type) == 0 ? types[i].bytes : 0;
    }
    json_decref(list);
    return bytes;
}

/* True if the elements of the first tensor are bytes. */
static bool is_integer(const TraceEvent *event)
{
    json_t *list = parse(event->types);
    const char *type = json_string_value(json_array_get(list, 0));
    const bool is_char = type != NULL && strstr(type, "char") != NULL;

    json_decref(list);
    return is_char;
}

/* ---- amounts ---- */

static double product_of(const Dims *dims, size_t from, size_t to)
{
    double product = 1;

    for (size_t i = from; i < to; i++) {
        product *= (double) dims->of[i];
    }
    return product;
}

static double all_of(const Dims *dims)
{
    return product_of(dims, 0, dims->count);
}

/*
 * Bytes of an element of a product over those of an element of its inputs. Bytes give integers of
 * 32 bits, and floats of 8 bits the type whose number in the framework is input 6, if it is one of
 * those.
 */
static double product_ratio(const TraceEvent *event, double element)
{
    static const struct {
        const char *number;
        double bytes;
    } types[] = { { "5", 2 }, { "6", 4 }, { "15", 2 } }; /* Half, float, BFloat16 */
    json_t *concrete;
    const char *number;
    double bytes = element;

    if (element != 1) {
        return 1;
    }
    if (is_integer(event)) {
        return 4;
    }
    concrete = parse(event->concrete);
    number = json_string_value(json_array_get(concrete, 6));
    for (size_t i = 0; number != NULL && i < sizeof types / sizeof types[0]; i++) {
        bytes = strcmp(number, types[i].number) == 0 ? types[i].bytes : bytes;
    }
    json_decref(concrete);
    return bytes;
}

/* `ratio`: bytes of an element of the result over those of an element of the inputs. */
static bool of_product(const Dims *a, const Dims *b, double ratio, Amount *amount)
{
    const size_t rank = a->count;
    double batch;
    double m;
    double n;

    if (rank < 2 || b->count != rank || a->of[rank - 1] != b->of[rank - 2]) {
        return false;
    }
    batch = product_of(a, 0, rank - 2);
    m = (double) a->of[rank - 2];
    n = (double) b->of[rank - 1];
    amount->flops = 2 * batch * m * n * (double) a->of[rank - 1];
    amount->bytes = all_of(a) + all_of(b) + ratio * batch * m * n;
    return true;
}

static bool of_attention(const Dims *q, const Dims *k, const Dims *v, Amount *amount)
{
    const size_t rank = q->count;
    double batch;
    double pairs;

    if (rank < 3 || k->count != rank || v->count != rank || q->of[rank - 1] != k->of[rank - 1] ||
        k->of[rank - 2] != v->of[rank - 2]) {
        return false;
    }
    batch = product_of(q, 0, rank - 2);
    pairs = batch * (double) q->of[rank - 2] * (double) k->of[rank - 2];
    amount->flops = 2 * pairs * (double) (q->of[rank - 1] + v->of[rank - 1]);
    amount->bytes = all_of(q) + all_of(k) + all_of(v) +
                    batch * (double) q->of[rank - 2] * (double) v->of[rank - 1];
    return true;
}

/*
 * Five products of the size of the forward pass's two: of queries and keys again, of the gradients
 * of pairs, and of those of each input. Reads the result and its gradient, writes the inputs'
 * gradients.
 */
static bool of_attention_backward(const Dims *gradient, const Dims *inputs, Amount *amount)
{
    const Dims *q = &inputs[0];
    const Dims *k = &inputs[1];
    const Dims *v = &inputs[2];
    const size_t rank = q->count;

    if (!of_attention(q, k, v, amount) || gradient->count != rank ||
        gradient->of[rank - 1] != v->of[rank - 1] || gradient->of[rank - 2] != q->of[rank - 2]) {
        return false;
    }
    amount->flops *= (double) (3 * q->of[rank - 1] + 2 * v->of[rank - 1]) /
                     (double) (q->of[rank - 1] + v->of[rank - 1]);
    amount->bytes = 2 * (all_of(gradient) + all_of(q) + all_of(k) + all_of(v));
    return true;
}

/* A list of numbers as text, "[1, 1]", one for each spatial dimension. */
static bool read_list(const json_t *concrete, size_t which, size_t count, Dims *ret_list)
{
    const char *text = json_string_value(json_array_get(concrete, which));
    json_t *list = text == NULL ? NULL : OpprofJsonValue(text, strlen(text), JSON_DECODE_ANY);
    const bool is_good = read_dims(list, ret_list) && ret_list->count == count;

    json_decref(list);
    return is_good;
}

/* How a kernel moves over the input, or over the result if it is transposed. */
typedef struct Movement {
    bool is_transposed;
    int64_t groups; /* this and `added`: of transposed ones */
    Dims stride;
    Dims padding;
    Dims dilation;
    Dims added; /* to the result's sides */
} Movement;

/* Stride, padding, dilation, whether it is transposed, what is added, and
 * groups are inputs 3 to 8. */
static bool read_movement(const json_t *concrete, size_t spatial, Movement *ret_movement)
{
    const char *transposed = json_string_value(json_array_get(concrete, 6));
    const char *groups = json_string_value(json_array_get(concrete, 8));

    *ret_movement = (Movement){ .is_transposed = false };
    if (transposed == NULL || !read_list(concrete, 3, spatial, &ret_movement->stride) ||
        !read_list(concrete, 4, spatial, &ret_movement->padding) ||
        !read_list(concrete, 5, spatial, &ret_movement->dilation)) {
        return false;
    }
    ret_movement->is_transposed = strcmp(transposed, "True") == 0;
    if (!ret_movement->is_transposed) {
        return strcmp(transposed, "False") == 0;
    }
    return groups != NULL && sscanf(groups, "%" SCNd64, &ret_movement->groups) == 1 &&
           ret_movement->groups > 0 && read_list(concrete, 7, spatial, &ret_movement->added);
}

/* A side of a plane of the result; not above 0 if the result has no such side. */
static int64_t side_of(const Movement *movement, size_t i, int64_t input, int64_t kernel)
{
    const int64_t stride = movement->stride.of[i];
    int64_t reach;

    if (stride == 0 || stride > DIM_GREATEST / (input + 1) ||
        movement->dilation.of[i] > DIM_GREATEST / (kernel + 1)) {
        return 0;
    }
    reach = movement->dilation.of[i] * (kernel - 1);
    if (movement->is_transposed) {
        return (input - 1) * stride - 2 * movement->padding.of[i] + reach + movement->added.of[i] +
               1;
    }
    reach = input + 2 * movement->padding.of[i] - reach - 1;
    return reach < 0 ? 0 : reach / stride + 1;
}

/* Elements of the result of a batch; 0 if the arguments do not determine it. */
static double result_of(const Movement *movement, const Dims *input, const Dims *weight)
{
    double result = (double) input->of[0] *
                    (movement->is_transposed ? (double) weight->of[1] * (double) movement->groups
                                             : (double) weight->of[0]);

    for (size_t i = 2; i < input->count; i++) {
        const int64_t side = side_of(movement, i - 2, input->of[i], weight->of[i]);

        result *= side > 0 ? (double) side : 0;
    }
    return result;
}

/* Each element of the result is of a whole kernel, or each of the input if it is transposed. */
static bool of_convolution(const TraceEvent *event, const Dims *input, const Dims *weight,
                           Amount *amount)
{
    json_t *concrete = parse(event->concrete);
    Movement movement;
    double result = 0;

    if (input->count > 2 && weight->count == input->count &&
        read_movement(concrete, input->count - 2, &movement)) {
        result = result_of(&movement, input, weight);
    }
    json_decref(concrete);
    if (result == 0) {
        return false;
    }
    amount->flops = 2 * (movement.is_transposed ? all_of(input) : result) *
                    product_of(weight, 1, weight->count);
    amount->bytes = all_of(input) + all_of(weight) + result;
    return true;
}

/* Which gradients are wanted, "[True, False, True]"; false if the text does not say so. */
static bool read_mask(const json_t *concrete, size_t which, bool *ret_input, bool *ret_weight)
{
    const char *text = json_string_value(json_array_get(concrete, which));
    char first[6];
    char second[6];

    if (text == NULL || sscanf(text, "[%5[a-zA-Z], %5[a-zA-Z],", first, second) != 2) {
        return false;
    }
    *ret_input = strcasecmp(first, "true") == 0;
    *ret_weight = strcasecmp(second, "true") == 0;
    return true;
}

/*
 * Each gradient costs as much as the forward pass: a whole kernel for each element of the result,
 * which has the size of its gradient, or of the input. Inputs 7 and 10 say whether it is
 * transposed, and which gradients are wanted.
 */
static bool of_convolution_backward(const TraceEvent *event, const Dims *tensors, Amount *amount)
{
    const Dims *gradient = &tensors[0];
    const Dims *input = &tensors[1];
    const Dims *weight = &tensors[2];
    json_t *concrete = parse(event->concrete);
    const char *transposed = json_string_value(json_array_get(concrete, 7));
    const Dims *whole = transposed != NULL && strcmp(transposed, "True") == 0 ? input : gradient;
    bool wants_input = false;
    bool wants_weight = false;
    const bool is_good = transposed != NULL && read_mask(concrete, 10, &wants_input, &wants_weight);

    json_decref(concrete);
    if (!is_good || (!wants_input && !wants_weight) || input->count < 3 ||
        gradient->count != input->count || weight->count != input->count ||
        gradient->of[0] != input->of[0] || whole->of[1] != weight->of[0]) {
        return false;
    }
    amount->flops = 2 * all_of(whole) * product_of(weight, 1, weight->count) *
                    (double) (wants_input + wants_weight);
    /* The gradient of each needs the other, and has its size. */
    amount->bytes =
        all_of(gradient) + (wants_input + wants_weight) * (all_of(input) + all_of(weight));
    return true;
}

/* ---- operators ---- */

static size_t tensors_of(ShapeKind kind)
{
    switch (kind) {
    case SHAPE_ATTENTION_BACKWARD:
        return 4;
    case SHAPE_ATTENTION:
    case SHAPE_CONVOLUTION_BACKWARD:
        return 3;
    case SHAPE_NONE:
    case SHAPE_PRODUCT:
    case SHAPE_ADDED_PRODUCT:
    case SHAPE_CONVOLUTION:
    default:
        return 2;
    }
}

/* Bytes in elements of the inputs, which have `element` bytes. */
static bool amount_of(ShapeKind kind, const TraceEvent *event, const Dims *tensors, double element,
                      Amount *ret_amount)
{
    switch (kind) {
    case SHAPE_ATTENTION:
        return of_attention(&tensors[0], &tensors[1], &tensors[2], ret_amount);
    case SHAPE_ATTENTION_BACKWARD:
        return of_attention_backward(&tensors[0], &tensors[1], ret_amount);
    case SHAPE_CONVOLUTION:
        return of_convolution(event, &tensors[0], &tensors[1], ret_amount);
    case SHAPE_CONVOLUTION_BACKWARD:
        return of_convolution_backward(event, tensors, ret_amount);
    case SHAPE_PRODUCT:
    case SHAPE_ADDED_PRODUCT:
        return of_product(&tensors[0], &tensors[1], product_ratio(event, element), ret_amount);
    case SHAPE_NONE:
    default:
        return false;
    }
}

/* Elements of the tensor that is added to the result, if there is one: input 0 of products, 2 of
 * convolutions. */
static double added_of(ShapeKind kind, const TraceEvent *event)
{
    Dims added;

    if ((kind != SHAPE_ADDED_PRODUCT && kind != SHAPE_CONVOLUTION) ||
        !read_tensors(event, kind == SHAPE_CONVOLUTION ? 2 : 0, 1, &added) || added.count == 0) {
        return 0;
    }
    return all_of(&added);
}

static size_t print_dims(const Dims *dims, size_t at, char *text, size_t room)
{
    for (size_t i = 0; i < dims->count && at < room; i++) {
        const int written = snprintf(text + at, room - at, "%s%" PRId64,
                                     i == 0 ? (at == 0 ? "" : " ") : "x", dims->of[i]);

        at += written < 0 ? 0 : (size_t) written;
    }
    return at;
}

bool ShapesRead(ShapeKind kind, const TraceEvent *event, Amount *ret_amount, char *text,
                size_t room)
{
    const size_t first = kind == SHAPE_ADDED_PRODUCT ? 1 : 0;
    const size_t count = tensors_of(kind);
    const double element = kind == SHAPE_NONE ? 0 : element_bytes(event, first);
    Dims tensors[TENSORS_MAX];
    size_t at = 0;
    bool is_good;

    if (kind == SHAPE_NONE || !read_tensors(event, first, count, tensors)) {
        return false;
    }
    is_good = amount_of(kind, event, tensors, element, ret_amount);
    ret_amount->bytes += added_of(kind, event);
    ret_amount->bytes *= element;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        at = print_dims(&tensors[i], at, text, room);
    }
    return is_good;
}

bool ShapesIsCausal(const TraceEvent *event, int input)
{
    json_t *concrete;
    const char *text;
    bool result;

    if (input < 0 || (event->has & EVENT_HAS_CONCRETE) == 0) {
        return false;
    }
    concrete = parse(event->concrete);
    text = json_string_value(json_array_get(concrete, (size_t) input));
    result = text != NULL && strcasecmp(text, "true") == 0;
    json_decref(concrete);
    return result;
}
