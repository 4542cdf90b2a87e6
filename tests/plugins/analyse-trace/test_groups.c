/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of kernels: the rules, and the table of the pipeline. */
#include "plugins/analyse-trace/groups.h"
#include "results.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(kernels_are_put_into_groups)
{
    static const struct {
        const char *name;
        const char *group;
    } kernels[] = {
        { "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>(Params)", "attention" },
        { "fmha_v2_flash_attention_bf16_64_64", "attention" },
        { "ampere_sgemm_128x64_tn", "gemm" },
        { "Cijk_Alik_Bljk_SB_MT64x64", "gemm" },
        { "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>(Params)", "gemm" },
        { "sm80_xmma_fprop_implicit_gemm_f16", "convolution" },
        { "void at::native::vectorized_layer_norm_kernel<float, float>(int)", "norm" },
        { "void (anonymous namespace)::softmax_warp_forward<float>(float*)", "softmax" },
        { "void at::native::vectorized_elementwise_kernel<4, "
          "at::native::CUDAFunctor_add<float>>(int)",
          "elementwise" },
        { "void at::native::reduce_kernel<512, 1>(at::native::ReduceOp<float>)", "reduction" },
        { "triton_poi_fused_add_0", "elementwise" },
        { "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<int>(int)",
          "optimizer" },
        { "void split_embedding_backward_codegen_kernel<float>(fbgemm_gpu::FixedDivisor)",
          "embedding" },
        { "void fbgemm_gpu::permute_2D_data_kernel<int>(int)", "copy and layout" },
        { "void fbgemm_gpu::gemm_kernel(int)", "gemm" },
        { "void bounds_check_indices_kernel<long, false>(fbgemm_gpu::FixedDivisor)", "embedding" },
        { "void fbgemm_gpu::_compute_FP8_quantize_cuda_kernel<float>(int)", "copy and layout" },
        { "void at::native::unrolled_elementwise_kernel<at::native::FillFunctor<float>, "
          "at::native::memory::LoadWithoutCast, at::native::memory::StoreWithCast<1>>(int)",
          "elementwise" },
        { "void at::native::GammaBetaBackwardCUDAKernel<float, float>(long)", "norm" },
        { "void at::native::RowwiseMomentsCUDAKernel<float, float>(long)", "norm" },
        { "void flashinfer::norm::RMSNormKernel<8, half>(half*)", "norm" },
        { "void flashinfer::activation::act_and_mul_kernel<half>(half*)", "elementwise" },
        { "void flashinfer::BatchPrefillWithPagedKVCacheKernel<int>(int)", "attention" },
        { "void vllm::convert_fp8_kernel<float>(float*)", "other" },
        { "triton_poi_fused_convolution_relu_3", "elementwise" },
        { "triton_tem_fused_addmm_7", "gemm" },
        { "triton_red_fused_native_layer_norm_2", "norm" },
        { "void vllm::moe::topkGatingSoftmax<4>(float*)", "mixture of experts" },
        { "void at::native::sbtopk::gatherTopK<float>(int)", "sort and index" },
        { "something", "other" },
    };
    const KernelGroupsText own = { "kernel_groups.json", kernel_groups_text };
    KernelGroups groups;

    ck_assert_int_eq(KernelGroupsLoad(NULL, &own, &groups, NULL), OPPROF_OK);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        ck_assert_str_eq(KernelGroupsFind(&groups, ACTIVITY_COMPUTATION, kernels[i].name),
                         kernels[i].group);
    }
    ck_assert_str_eq(KernelGroupsFind(&groups, ACTIVITY_COMMUNICATION, "gemm"), "communication");
    ck_assert_str_eq(KernelGroupsFind(&groups, ACTIVITY_MEMORY, "gemm"), "memory");
    KernelGroupsFinish(&groups);
}
END_TEST

START_TEST(a_part_counts_only_outside_of_ignored_words)
{
    static const struct {
        const char *name;
        const char *group;
    } kernels[] = {
        { "aBA", "other" },    { "xaB", "other" },  { "a", "found" },
        { "abaaba", "other" }, { "abac", "other" }, { "abaca", "found" },
    };
    KernelGroups groups;

    /* "aba" holds "a" twice; what begins only like an ignored word is not one. */
    ck_assert_int_eq(
        KernelGroupsLoad(ResultsWrite("groups.json",
                                      "{\"opprof_kernel_groups\":\"1.0\",\"ignore\":[\"aba\","
                                      "\"xAb\"],\"groups\":[{\"group\":\"found\","
                                      "\"contains\":[\"a\"]}]}"),
                         NULL, &groups, NULL),
        OPPROF_OK);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        ck_assert_str_eq(KernelGroupsFind(&groups, ACTIVITY_COMPUTATION, kernels[i].name),
                         kernels[i].group);
    }
    KernelGroupsFinish(&groups);
}
END_TEST

START_TEST(mistakes_in_a_file_are_named)
{
    static const char *const bad[][2] = {
        { "{}", "opprof_kernel_groups" },
        { "{\"opprof_kernel_groups\":\"1.0\",\"groups\":{}}", "no list 'groups'" },
        { "{\"opprof_kernel_groups\":\"1.0\",\"groups\":[{\"group\":\"a\"}]}",
          "group 1 has no name" },
        { "{\"opprof_kernel_groups\":\"1.0\",\"groups\":[{\"group\":\"a\",\"contains\":[]},{"
          "\"group\":\"a\","
          "\"contains\":[\"\"]}]}",
          "group 2 has a part that is not a text" },
        { "{\"opprof_kernel_groups\":\"1.0\",\"ignore\":\"a\",\"groups\":[]}",
          "'ignore' is not a list of texts" },
        { "{\"opprof_kernel_groups\":\"1.0\",\"ignore\":[\"a\",3],\"groups\":[]}",
          "'ignore' is not a list of texts" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        OpprofError *error = NULL;
        KernelGroups groups;

        ck_assert_int_eq(
            KernelGroupsLoad(ResultsWrite("groups.json", bad[i][0]), NULL, &groups, &error),
            OPPROF_E_DATA);
        ck_assert_msg(strstr(OpprofErrorMessage(error), bad[i][1]) != NULL, "%s",
                      OpprofErrorMessage(error));
        OpprofErrorDestroy(error);
        KernelGroupsFinish(&groups);
    }
}
END_TEST

#define WORK(name, ts, dur)                                                                        \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur            \
    ",\"args\":{\"device\":0,\"stream\":7}},"

static void check(const char *where, const char *column, const char *wanted)
{
    const char *cell = Cell("kernel_groups.csv", where, column);

    ck_assert_msg(cell != NULL, "no row where %s", where);
    ck_assert_msg(strcmp(cell, wanted) == 0, "%s: %s is '%s', not '%s'", where, column, cell,
                  wanted);
}

START_TEST(time_of_groups_is_added_up)
{
    char setting[4352];
    const char *settings[] = { setting, NULL };
    char input[4096];

    snprintf(input, sizeof input, "%s",
             ResultsWrite("trace.json",
                          "[" WORK("ampere_sgemm_128x64_tn", "0",
                                   "30") WORK("void gemv<float>(int)", "30", "20")
                              WORK("ampere_sgemm_128x64_tn", "50", "10") WORK("softmax", "60", "25")
                                  WORK("ncclDevKernel_AllReduce", "90", "15") "{\"ph\":\"M\"}]"));

    ck_assert_int_eq(RunKineto(input, NULL), OPPROF_RUN_COMPLETE);
    ck_assert_uint_eq(RowCount("kernel_groups.csv"), 3);
    check("group=gemm", "sum(us)", "60.000");
    check("group=gemm", "share(%)", "60.00");
    check("group=gemm", "count", "3");
    check("group=gemm", "names", "2");
    check("group=gemm", "mean(us)", "20.000");
    check("group=gemm", "longest", "ampere_sgemm_128x64_tn");
    check("group=softmax", "share(%)", "25.00");
    check("group=communication", "sum(us)", "15.000");
    snprintf(setting, sizeof setting, "groups.groups=%s",
             ResultsWrite("mine.json",
                          "{\"opprof_kernel_groups\":\"1.0\",\"groups\":[{\"group\":\"mine\","
                          "\"contains\":[\"SOFT\"]}]}"));
    ck_assert_int_eq(RunKineto(input, settings), OPPROF_RUN_COMPLETE);
    check("group=mine", "sum(us)", "25.000");
    check("group=other", "sum(us)", "60.000");
}
END_TEST

static Suite *groups_suite(void)
{
    Suite *suite = suite_create("groups");
    TCase *tcase = tcase_create("groups");

    tcase_add_checked_fixture(tcase, ResultsSetUp, ResultsTearDown);
    tcase_add_test(tcase, kernels_are_put_into_groups);
    tcase_add_test(tcase, a_part_counts_only_outside_of_ignored_words);
    tcase_add_test(tcase, mistakes_in_a_file_are_named);
    tcase_add_test(tcase, time_of_groups_is_added_up);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(groups_suite)
