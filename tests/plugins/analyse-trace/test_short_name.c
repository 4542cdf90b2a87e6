/* SPDX-License-Identifier: Apache-2.0 */
/* Short names of kernels. */
#include "plugins/analyse-trace/common/short_name.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *full;
    const char *wanted;
} names[] = {
    { "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int>, "
      "std::array<char*, 1ul> >(int, at::native::FillFunctor<int>, std::array<char*, 1ul>)",
      "vectorized_elementwise_kernel" },
    { "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float, float, float, "
      "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)",
      "cunn_SoftMaxForward" },
    { "ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn" },
    { "_ZN2at6native6kernelIfEEvPT_i", "kernel" },
    { "_Zwrong", "_Zwrong" },
    { "Cijk_Ailk_Bljk_SB_MT128x128x16_SE_K1", "Cijk_Ailk_Bljk_SB_MT128x128x16_SE_K1" },
    { "Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)" },
    { "Memset (Device)", "Memset (Device)" },
    { "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
      "ncclDevKernel_AllReduce_Sum_f32_RING_LL" },
    { "triton_poi_fused_add_0", "triton_poi_fused_add_0" },
    { "cutlass::Kernel<cutlass_80_tensorop_f16_s16816gemm>", "Kernel" },
    { "dot.3", "dot.3" },
    { "矩阵乘", "矩阵乘" },
    { "", "" },
    { "a<b", "a" },
    { "void f<(a->b)>(int)", "f" },
    { "f(", "f" },
    { "decltype(auto) a::b<c::d>(e)", "b" },
    { "void (anonymous namespace)::Add<float>::operator()<int>(int) const", "operator()" },
    { "my_operator()", "my_operator" },
};

START_TEST(names_lose_what_makes_them_long)
{
    char out[512];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = ShortName(names[i].full, out, sizeof out);

        ck_assert_str_eq(out, names[i].wanted);
        ck_assert_uint_eq(length, strlen(names[i].wanted));
    }
}
END_TEST

START_TEST(mangled_names_have_a_whole_one)
{
    char *whole = DemangledName("_ZN2at6native6kernelIfEEvPT_i");

    ck_assert_str_eq(whole, "void at::native::kernel<float>(float*, int)");
    free(whole);
    ck_assert_ptr_null(DemangledName("_Zwrong"));
    ck_assert_ptr_null(DemangledName("kernel(int)"));
}
END_TEST

START_TEST(names_are_cut_to_the_room)
{
    char out[5];

    ck_assert_uint_eq(ShortName("kernel(int)", out, sizeof out), 4);
    ck_assert_str_eq(out, "kern");
}
END_TEST

static Suite *short_name_suite(void)
{
    Suite *suite = suite_create("short_name");
    TCase *tcase = tcase_create("short names");

    tcase_add_test(tcase, names_lose_what_makes_them_long);
    tcase_add_test(tcase, names_are_cut_to_the_room);
    tcase_add_test(tcase, mangled_names_have_a_whole_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(short_name_suite)
