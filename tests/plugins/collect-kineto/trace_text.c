/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the text of a trace of any length. */
#include "trace_text.h"

#include <inttypes.h>
#include <stdio.h>

#define BASE UINT64_C(1712867402348256) /* us */
#define STEP_US UINT64_C(20)
#define LONGEST_FUNCTION UINT64_C(4096) /* operators that begin in it */
#define BUFFER_KERNELS UINT64_C(500)    /* kernels that a profiler gives at a time */

static const char *const names[] = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3>)",
    "ampere_sgemm_128x64_nn",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>"
    "(cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1::Params)",
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
    "void split_embedding_codegen_forward_unweighted_kernel<c10::Half, c10::Half, float, false, "
    "long, 2ul, 32ul>(at::GenericPackedTensorAccessor<c10::Half, 1ul, at::RestrictPtrTraits, "
    "long>, "
    "at::GenericPackedTensorAccessor<c10::Half, 1ul, at::RestrictPtrTraits, long>, "
    "at::GenericPackedTensorAccessor<long, 1ul, at::RestrictPtrTraits, int>)",
};

#define NAMES (sizeof names / sizeof names[0])

/* Figures that differ from event to event as real ones do, so that they compress like them, too. */
static uint64_t scramble(uint64_t i)
{
    i = (i ^ i >> 31) * UINT64_C(0x7fb5d329728ea185);
    i = (i ^ i >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return i ^ i >> 33;
}

static void put_call(FILE *file, uint64_t i)
{
    const uint64_t ts = BASE + i * STEP_US;
    const unsigned ns = (unsigned) (scramble(i) % 1000);

    fprintf(file,
            "  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
            "\"pid\": 3727853, \"tid\": 3727853,\n    \"ts\": %" PRIu64 ".%03u, \"dur\": 4.%03u,\n"
            "    \"args\": {\n      \"External id\": %" PRIu64 ", \"cbid\": 211, "
            "\"correlation\": %" PRIu64 "\n    }\n  },\n"
            "  {\n    \"ph\": \"s\", \"id\": %" PRIu64 ", \"pid\": 3727853, \"tid\": 3727853, "
            "\"ts\": %" PRIu64 ".%03u,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
            ts, ns, (unsigned) (scramble(i + 1) % 1000), i, i, i, ts, ns);
}

static void put_kernel(FILE *file, uint64_t i)
{
    const uint64_t ts = BASE + i * STEP_US + 8;
    const unsigned stream = i % NAMES == 3 ? 13 : 7;
    const uint64_t mixed = scramble(i);

    fprintf(
        file,
        "  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": %u,\n"
        "    \"ts\": %" PRIu64 ".125, \"dur\": 10.875,\n    \"args\": {\n"
        "      \"External id\": %" PRIu64 ",\n      \"queued\": 0, \"device\": 0, "
        "\"context\": 1,\n      \"stream\": %u, \"correlation\": %" PRIu64 ",\n"
        "      \"registers per thread\": %u,\n      \"shared memory\": %u,\n"
        "      \"blocks per SM\": %u.%06u,\n      \"warps per SM\": 23.%06u,\n"
        "      \"grid\": [%u, 16, 5],\n      \"block\": [128, 1, 1],\n"
        "      \"est. achieved occupancy %%\": 25\n    }\n  },\n"
        "  {\n    \"ph\": \"f\", \"id\": %" PRIu64 ", \"pid\": 0, \"tid\": %u, "
        "\"ts\": %" PRIu64
        ".125,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },\n",
        names[i % NAMES], stream, ts, i, stream, i, (unsigned) (mixed % 256),
        (unsigned) (mixed >> 8) % 49152, (unsigned) (mixed >> 24) % 64,
        (unsigned) (mixed >> 30) % 1000000, (unsigned) (mixed >> 40) % 1000000,
        (unsigned) (mixed >> 50), i, stream, ts);
}

static const char *const operators[] = { "aten::embedding_dense_backward",
                                         "aten::addmm",
                                         "aten::t",
                                         "autograd::engine::evaluate_function: AddmmBackward0",
                                         "aten::_local_scalar_dense",
                                         "aten::empty_strided",
                                         "aten::native_layer_norm" };
static const char *const functions[] = {
    "torch/nn/modules/module.py(1501): _call_impl", "torch/optim/adamw.py(146): step",
    "<built-in method embedding of type object at 0x7f3d2c0e7a20>",
    "models/transformer.py(88): forward \\\"attention\\\""
};

/* Functions nest, most of them shortly: number i is around the 2^k - 1 after it, k zeros ending i
 * in binary. */
static uint64_t function_ns(uint64_t i)
{
    const uint64_t around = i == 0 ? 1 : i & -i;

    return (around < LONGEST_FUNCTION ? around : LONGEST_FUNCTION) * 1000 - 10;
}

/* An operator a microsecond, in the function that begins with it. */
static void put_operator(FILE *file, uint64_t i)
{
    const uint64_t mixed = scramble(i);
    const uint64_t ts = BASE + i;

    fprintf(file,
            "  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", "
            "\"pid\": 3727853, \"tid\": 3727853,\n    \"ts\": %" PRIu64 ".%03u, \"dur\": %u.%03u,\n"
            "    \"args\": {\n      \"External id\": %" PRIu64 ", \"Record function id\": 0, "
            "\"Sequence number\": %" PRIu64 ", \"Fwd thread id\": 1, \"Input Dims\": "
            "[[%u, 1024], [1024, %u], []], \"Input type\": [\"float\", \"float\", \"Scalar\"], "
            "\"Ev Idx\": %" PRIu64 "\n    }\n  },\n",
            operators[mixed % 7], ts, 100 + (unsigned) (mixed >> 8) % 400, 0u,
            (unsigned) (mixed >> 28) % 480, i, i / 3, (unsigned) (mixed >> 38) % 4096,
            (unsigned) (mixed >> 50) % 4096, i);
    fprintf(file,
            "  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"%s\", "
            "\"pid\": 3727853, \"tid\": 3727853,\n    \"ts\": %" PRIu64 ".%03u, \"dur\": %u.%03u,\n"
            "    \"args\": {\n      \"Python parent id\": %" PRIu64 ", \"Python id\": %" PRIu64
            ", \"Python module id\": %u\n    }\n  },\n",
            functions[mixed >> 62], ts, (unsigned) (mixed >> 20) % 100,
            (unsigned) (function_ns(i) / 1000), (unsigned) (function_ns(i) % 1000) / 2,
            i + (mixed >> 50) % 20, i + 1, (unsigned) (mixed >> 50) % 300);
}

static void put_buffer(FILE *file, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++) {
        put_call(file, i);
    }
    for (uint64_t i = first; i < end; i++) {
        put_kernel(file, i);
    }
}

bool TraceTextWrite(const char *path, uint64_t bytes, uint64_t kernels, uint64_t *ret_host)
{
    const uint64_t buffers = kernels / BUFFER_KERNELS + 1;
    FILE *file = fopen(path, "wb");
    uint64_t filler = 0;
    bool is_good;

    if (file == NULL) {
        return false;
    }
    fprintf(file, "{\n  \"schemaVersion\": 1,\n  \"distributedInfo\": {\"backend\": \"nccl\", "
                  "\"rank\": 0, \"world_size\": 8},\n  \"traceEvents\": [\n");
    for (uint64_t i = 0; i < buffers; i++) {
        const uint64_t end = (i + 1) * BUFFER_KERNELS;

        put_buffer(file, i * BUFFER_KERNELS, end < kernels ? end : kernels);
        while ((uint64_t) ftello(file) < bytes / buffers * (i + 1)) {
            put_operator(file, filler++);
        }
    }
    fprintf(file, "  {\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 0}\n  ],\n"
                  "  \"traceName\": \"trace.json\"\n}\n");
    if (ret_host != NULL) {
        *ret_host = 2 * filler;
    }
    is_good = ferror(file) == 0;
    return fclose(file) == 0 && is_good;
}

uint64_t TraceTextKernelNs(uint64_t kernels)
{
    return kernels == 0 ? 0 : (kernels - 1) * STEP_US * 1000 + 10875;
}
