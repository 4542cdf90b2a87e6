/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/formats/vocabulary.c. */
#include "plugins/collect-kineto/rank/names.h"
#include "plugins/collect-kineto/formats/tasks.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Vocabulary vocabulary;

static void set_up(void)
{
    ck_assert_int_eq(VocabularyLoad(NULL, &vocabulary, NULL), OPPROF_OK);
    ck_assert_int_eq(VocabularySettle(&vocabulary, NULL), OPPROF_OK);
}

static void tear_down(void)
{
    VocabularyFinish(&vocabulary);
}

static WorkClass class_of(const char *name)
{
    return VocabularyKernelClass(&vocabulary, name, strlen(name));
}

START_TEST(what_calls_wait_for_is_known)
{
    ck_assert_int_eq(VocabularyUse(&vocabulary, (JsonText){ .text = "cuda_sync", .length = 9 }),
                     USE_WAIT);
    ck_assert_uint_eq(VocabularyCallTraits(&vocabulary, "cudaDeviceSynchronize", 21),
                      CALL_BLOCKS | CALL_WAITS_ALL);
    ck_assert_uint_eq(VocabularyCallTraits(&vocabulary, "hipStreamSynchronize", 20),
                      CALL_BLOCKS | CALL_WAITS_SOME);
    ck_assert_uint_eq(VocabularyCallTraits(&vocabulary, "cudaLaunchKernel", 16), CALL_LOCKS);
    ck_assert_uint_eq(VocabularyCallTraits(&vocabulary, "cudaGraphLaunch", 15), 0);
}
END_TEST

START_TEST(kernels_are_told_apart_by_their_names)
{
    static const struct {
        const char *name;
        WorkClass wanted;
    } kernels[] = {
        { "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)", WORK_COMMUNICATION },
        { "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", WORK_COMMUNICATION },
        { "rcclGenericKernel<1, false>", WORK_COMMUNICATION },
        { "void deep_ep::intranode::dispatch<8, 768>", WORK_COMMUNICATION },
        { "NCCLDEVKERNEL_x", WORK_COMMUNICATION },
        { "Cijk_Alik_Bljk_SB_MT64x64", WORK_COMPUTATION },
        { "void MyMemcpyLikeKernel()", WORK_COMPUTATION },
        { "SyncBatchNormKernel", WORK_COMPUTATION },
        { "dma_copy_0", WORK_MEMORY },
        { "DMA_copy_0", WORK_COMPUTATION },
        { "hipFooKernel", WORK_COMPUTATION },
        { "Memcpy DtoD (Device -> Device)", WORK_MEMORY },
        { "Memset (Device)", WORK_MEMORY },
        { "", WORK_COMPUTATION },
        { "multimem_all_reduce_kernel<c10::BFloat16, 8>", WORK_COMMUNICATION },
        { "void vllm::cross_device_reduce_2stage<__nv_bfloat16, 8>(...)", WORK_COMMUNICATION },
        { "sglang::cross_device_reduce_1stage", WORK_COMMUNICATION },
        { "one_shot_all_reduce_kernel", WORK_COMMUNICATION },
        { "two_shot_all_reduce_kernel", WORK_COMMUNICATION },
        { "nvshmemi_transfer_rma_put", WORK_COMMUNICATION },
        { "tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8>", WORK_COMMUNICATION },
        { "flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport",
          WORK_COMMUNICATION },
        { "quickreduce::allreduce_prototype_twoshot", WORK_COMMUNICATION },
        { "void moe::allreduce_kernel<float>(float*)", WORK_COMMUNICATION },
        { "__amd_rocclr_copyBuffer", WORK_MEMORY },
        { "__amd_rocclr_fillBufferAligned", WORK_MEMORY },
        { "void softmax_warp_forward<float, float, float, 8, false, false>", WORK_COMPUTATION },
    };

    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        ck_assert_msg(class_of(kernels[i].name) == kernels[i].wanted, "'%s'", kernels[i].name);
    }
}
END_TEST

START_TEST(lists_of_words_can_be_replaced)
{
    static const char *const contains[] = { "hccl" };
    static const char *const prefix[] = { "hcom_" };

    ck_assert(VocabularyReplace(&vocabulary, LIST_COMM_CONTAINS, contains, 1));
    ck_assert(VocabularyReplace(&vocabulary, LIST_COMM_PREFIX, prefix, 1));
    ck_assert(VocabularyReplace(&vocabulary, LIST_MEM_PREFIX, NULL, 0));
    ck_assert_int_eq(class_of("my_HCCL_kernel"), WORK_COMMUNICATION);
    ck_assert_int_eq(class_of("hcom_allReduce_"), WORK_COMMUNICATION);
    ck_assert_int_eq(class_of("x_hcom_allReduce_"), WORK_COMPUTATION);
    ck_assert_int_eq(class_of("ncclKernel"), WORK_COMPUTATION);
    ck_assert_int_eq(class_of("Memcpy"), WORK_COMPUTATION);
}
END_TEST

static CategoryUse use_of(const char *category)
{
    return VocabularyUse(&vocabulary, (JsonText){ .text = category, .length = strlen(category) });
}

START_TEST(categories_old_and_new_are_known)
{
    static const char *const passed_over[] = { "async_task_queue", "Trace", "overhead", "" };

    ck_assert_int_eq(use_of("kernel"), USE_KERNEL);
    ck_assert_int_eq(use_of("Kernel"), USE_KERNEL);
    ck_assert_int_eq(use_of("gpu_memcpy"), USE_TRANSFER);
    ck_assert_int_eq(use_of("Memset"), USE_TRANSFER);
    ck_assert_int_eq(use_of("cuda_runtime"), USE_CALL);
    ck_assert_int_eq(use_of("cuda_driver"), USE_CALL);
    ck_assert_int_eq(use_of("Runtime"), USE_CALL);
    ck_assert_int_eq(use_of("user_annotation"), USE_ANNOTATION);
    for (size_t i = 0; i < sizeof passed_over / sizeof passed_over[0]; i++) {
        ck_assert_int_eq(use_of(passed_over[i]), USE_NOTHING);
    }
    ck_assert_int_eq(use_of("mtia_ccp_events"), USE_KERNEL);
    ck_assert_int_eq(use_of("hip_runtime"), USE_CALL);
    ck_assert_int_eq(use_of("xpu_runtime"), USE_CALL);
    ck_assert_int_eq(use_of("privateuse1_runtime"), USE_CALL);
    ck_assert_int_eq(use_of("privateuse1_driver"), USE_CALL);
    ck_assert_int_eq(use_of("cpu_op"), USE_OPERATOR);
    ck_assert_int_eq(use_of("python_function"), USE_PYTHON);
    ck_assert_int_eq(use_of("fwdbwd"), USE_FLOW);
    ck_assert_int_eq(use_of("ac2g"), USE_CALL_FLOW);
    ck_assert_int_eq(use_of("HostToDevice"), USE_CALL_FLOW);
    ck_assert_int_eq(use_of("async_npu"), USE_WORK_FLOW);
    ck_assert_int_eq(use_of("never seen"), USE_UNKNOWN);
}
END_TEST

static uint32_t key_of(const Vocabulary *words, const char *key)
{
    return LIST_KEY_COLLECTIVE + VocabularyKey(words, key, strlen(key));
}

START_TEST(keys_of_arguments_are_known_and_can_be_replaced)
{
    static const char *const mine[] = { "my collective", "op" };

    ck_assert_uint_eq(key_of(&vocabulary, "Collective name"), LIST_KEY_COLLECTIVE);
    ck_assert_uint_eq(key_of(&vocabulary, "Seq"), LIST_KEY_SEQUENCE);
    ck_assert_uint_eq(key_of(&vocabulary, "hlo_module"), LIST_KEY_MODULE);
    ck_assert_uint_eq(key_of(&vocabulary, "seq"), VOCABULARY_LISTS);
    ck_assert_uint_eq(key_of(&vocabulary, ""), VOCABULARY_LISTS);
    ck_assert(VocabularyReplace(&vocabulary, LIST_KEY_COLLECTIVE, mine, 2));
    ck_assert_int_eq(VocabularySettle(&vocabulary, NULL), OPPROF_OK);
    ck_assert_uint_eq(key_of(&vocabulary, "op"), LIST_KEY_COLLECTIVE);
    ck_assert_uint_eq(key_of(&vocabulary, "Collective name"), VOCABULARY_LISTS);
}
END_TEST

START_TEST(too_many_keys_are_refused)
{
    static const char *words[VOCABULARY_KEY_WORDS];

    for (unsigned i = 0; i < VOCABULARY_KEY_WORDS; i++) {
        words[i] = "x";
    }
    ck_assert(VocabularyReplace(&vocabulary, LIST_KEY_GROUP, words, VOCABULARY_KEY_WORDS));
    ck_assert_int_eq(VocabularySettle(&vocabulary, NULL), OPPROF_E_LIMIT);
}
END_TEST

START_TEST(too_many_categories_are_refused)
{
    static const char *words[VOCABULARY_CATEGORIES];

    for (unsigned i = 0; i < VOCABULARY_CATEGORIES; i++) {
        words[i] = "x";
    }
    ck_assert(VocabularyReplace(&vocabulary, LIST_DEVICE, words, VOCABULARY_CATEGORIES));
    ck_assert_int_eq(VocabularySettle(&vocabulary, NULL), OPPROF_E_LIMIT);
}
END_TEST

/* Write a vocabulary and load it. */
static OpprofStatus load(const char *text, Vocabulary *ret_vocabulary, OpprofError **error)
{
    char path[] = "/tmp/opprof-vocabulary-XXXXXX";
    const int fd = mkstemp(path);
    OpprofStatus status;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t) strlen(text));
    close(fd);
    status = VocabularyLoad(path, ret_vocabulary, error);
    unlink(path);
    return status;
}

START_TEST(a_file_replaces_the_lists_that_it_has)
{
    Vocabulary mine;

    ck_assert_int_eq(load("{\"opprof_vocabulary\":\"1.0\",\"_note\":1,\"kernels\":{"
                          "\"communication_contains\":[\"mine\"]}}",
                          &mine, NULL),
                     OPPROF_OK);
    ck_assert_int_eq(VocabularySettle(&mine, NULL), OPPROF_OK);
    ck_assert_int_eq(VocabularyKernelClass(&mine, "is MINE", 7), WORK_COMMUNICATION);
    ck_assert_int_eq(VocabularyKernelClass(&mine, "nccl", 4), WORK_COMPUTATION);
    ck_assert_int_eq(VocabularyKernelClass(&mine, "Memcpy", 6), WORK_MEMORY);
    VocabularyFinish(&mine);
}
END_TEST

START_TEST(mistakes_in_a_file_are_named)
{
    static const char *const bad[][2] = {
        { "{}", "opprof_vocabulary" },
        { "{\"opprof_vocabulary\":\"9\"}", "opprof_vocabulary" },
        { "{\"opprof_vocabulary\":\"1.0\",\"kernels\":[]}", "'kernels' is not an object" },
        { "{\"opprof_vocabulary\":\"1.0\",\"kernels\":{\"comm\":[]}}", "'comm' in 'kernels'" },
        { "{\"opprof_vocabulary\":\"1.0\",\"kernels\":{\"memory_prefix\":7}}", "not an array" },
        { "{\"opprof_vocabulary\":\"1.0\",\"steps\":{\"prefix\":[7]}}", "not a string" },
        { "{\"opprof_vocabulary\":\"1.0\",\"step\":{\"prefix\":[]}}", "'prefix' in 'step'" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        OpprofError *error = NULL;
        Vocabulary mine;

        ck_assert_int_eq(load(bad[i][0], &mine, &error), OPPROF_E_DATA);
        ck_assert_msg(strstr(OpprofErrorMessage(error), bad[i][1]) != NULL, "%s",
                      OpprofErrorMessage(error));
        OpprofErrorDestroy(error);
        VocabularyFinish(&mine);
    }
}
END_TEST

static CallKind kind_of(const char *name)
{
    return VocabularyCallKind(&vocabulary, name, strlen(name));
}

START_TEST(calls_that_launch_are_told_from_those_that_do_not)
{
    ck_assert_int_eq(kind_of("cudaLaunchKernel"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("hipExtModuleLaunchKernel"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("hipMemcpyWithStream"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("runFunction - job_prep_and_submit_for_execution"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("cudaGraphLaunch"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("hipExtLaunchKernel"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("hipMemcpyAsync_spt"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("cuMemcpyHtoDAsync_v2"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("urEnqueueUSMMemcpy"), CALL_ENQUEUE);
    ck_assert_int_eq(kind_of("cudaMemcpy"), CALL_LAUNCH);
    ck_assert_int_eq(kind_of("somethingNew"), CALL_LAUNCH);
    ck_assert_int_eq(kind_of("cudaEventQuery"), CALL_OTHER);
    ck_assert_int_eq(kind_of("cudaDeviceSynchronize"), CALL_OTHER);
    ck_assert_int_eq(kind_of("cudaStreamWaitEvent"), CALL_OTHER);
}
END_TEST

START_TEST(iterations_are_known_by_their_names)
{
    ck_assert(VocabularyIsStep(&vocabulary, "ProfilerStep#551", 16));
    ck_assert(VocabularyIsStep(&vocabulary, "ProfilerStep # 551", 18));
    ck_assert(!VocabularyIsStep(&vocabulary, "ProfilerStep", 12));
    ck_assert(!VocabularyIsStep(&vocabulary, "nccl:all_reduce", 15));
}
END_TEST

static JsonText text_of(const char *text)
{
    return (JsonText){ .text = text, .length = (uint32_t) strlen(text), .is_string = true };
}

static CategoryUse untold(const char *name, bool is_connected, WorkClass *work_class)
{
    return VocabularyUntoldUse(&vocabulary, name, strlen(name), is_connected, work_class);
}

START_TEST(events_without_category_are_told_by_their_name)
{
    WorkClass work_class = WORK_CLASSES;

    ck_assert_int_eq(untold("hcom_allReduce__664_0_1", true, &work_class), USE_KERNEL);
    ck_assert_int_eq(work_class, WORK_COMMUNICATION);
    ck_assert_int_eq(untold("Node@launch", true, &work_class), USE_CALL);
    ck_assert_int_eq(untold("ProfilerStep#3", false, &work_class), USE_ANNOTATION);
    ck_assert_int_eq(untold("anything", false, &work_class), USE_NOTHING);
}
END_TEST

static TaskKind task(const char *type, const char *name, WorkClass *work_class)
{
    return TaskKindOf(&vocabulary, text_of(type), text_of(name), work_class);
}

START_TEST(tasks_are_told_by_their_type_and_others_are_work)
{
    WorkClass work_class = WORK_CLASSES;

    ck_assert_int_eq(task("AI_CORE", "MatMulV2", &work_class), TASK_LISTED);
    ck_assert_int_eq(work_class, WORK_COMPUTATION);
    ck_assert_int_eq(task("SDMA", "Memcpy", &work_class), TASK_LISTED);
    ck_assert_int_eq(work_class, WORK_MEMORY);
    ck_assert_int_eq(task("RDMA_SEND", "send", &work_class), TASK_LISTED);
    ck_assert_int_eq(work_class, WORK_COMMUNICATION);
    ck_assert_int_eq(task("EVENT_WAIT_SQE", "EVENT_WAIT", &work_class), TASK_IDLE);
    ck_assert_int_eq(task("Label switch", "x", &work_class), TASK_IDLE);
    ck_assert_int_eq(task("Other", "NOP", &work_class), TASK_IDLE);
    ck_assert_int_eq(task("Other", "aclnnAdd", &work_class), TASK_UNLISTED);
    ck_assert_int_eq(work_class, WORK_COMPUTATION);
    ck_assert_int_eq(task("", "hcom_broadcast_", &work_class), TASK_UNLISTED);
    ck_assert_int_eq(work_class, WORK_COMMUNICATION);
}
END_TEST

START_TEST(a_name_is_kept_once_for_each_kind)
{
    const JsonText plain = { .text = "caf\xc3\xa9", .length = 5 };
    const JsonText escaped = { .text = "caf\\u00e9", .length = 9, .has_escape = true };
    uint16_t meaning;
    uint32_t first;
    Names names;

    ck_assert(NamesInit(&names));
    first = NamesGet(&names, &vocabulary, NAME_WORK, plain, &meaning);
    ck_assert_uint_ne(first, 0);
    ck_assert_uint_eq(NamesGet(&names, &vocabulary, NAME_WORK, escaped, &meaning), first);
    ck_assert_uint_ne(NamesGet(&names, &vocabulary, NAME_CALL, plain, &meaning), first);
    ck_assert_str_eq(NamesAt(&names, first)->text, "caf\xc3\xa9");
    NamesFinish(&names);
}
END_TEST

START_TEST(thousands_of_names_are_found_again)
{
    uint32_t indices[5000];
    char text[32];
    uint16_t meaning;
    Names names;

    ck_assert(NamesInit(&names));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 5000; i++) {
            const int length = snprintf(text, sizeof text, "%skernel_%d", i % 2 ? "nccl" : "", i);
            const uint32_t index =
                NamesGet(&names, &vocabulary, NAME_WORK,
                         (JsonText){ .text = text, .length = (size_t) length }, &meaning);

            ck_assert_int_eq(meaning, i % 2 ? WORK_COMMUNICATION : WORK_COMPUTATION);
            ck_assert(pass == 0 || index == indices[i]);
            indices[i] = index;
        }
    }
    ck_assert_uint_eq(names.list.count, 5001);
    NamesFinish(&names);
}
END_TEST

START_TEST(names_without_end_share_one_but_keep_their_meaning)
{
    char *text = malloc(NAME_BYTES_MAX + 10);
    uint16_t meaning = 99;
    uint32_t index = 1;
    Names names;

    ck_assert_ptr_nonnull(text);
    ck_assert(NamesInit(&names));
    memset(text, 'k', NAME_BYTES_MAX + 10);
    for (int i = 0; i < 300 && index != 0; i++) {
        text[snprintf(text, 32, "nccl_%d_", i)] = 'k';
        index = NamesGet(&names, &vocabulary, NAME_WORK,
                         (JsonText){ .text = text, .length = NAME_BYTES_MAX + 10 }, &meaning);
        ck_assert_int_eq(meaning, WORK_COMMUNICATION);
    }
    ck_assert_uint_eq(index, 0);
    ck_assert(names.is_full);
    ck_assert_uint_le(names.bytes, NAMES_BYTES_MAX + NAME_BYTES_MAX);
    ck_assert_str_eq(NamesAt(&names, 0)->text, NAMES_OTHER);
    NamesFinish(&names);
    free(text);
}
END_TEST

static Suite *vocabulary_suite(void)
{
    Suite *suite = suite_create("vocabulary");
    TCase *tcase = tcase_create("vocabulary");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_calls_wait_for_is_known);
    tcase_add_test(tcase, kernels_are_told_apart_by_their_names);
    tcase_add_test(tcase, lists_of_words_can_be_replaced);
    tcase_add_test(tcase, categories_old_and_new_are_known);
    tcase_add_test(tcase, too_many_categories_are_refused);
    tcase_add_test(tcase, keys_of_arguments_are_known_and_can_be_replaced);
    tcase_add_test(tcase, too_many_keys_are_refused);
    tcase_add_test(tcase, a_file_replaces_the_lists_that_it_has);
    tcase_add_test(tcase, mistakes_in_a_file_are_named);
    tcase_add_test(tcase, calls_that_launch_are_told_from_those_that_do_not);
    tcase_add_test(tcase, iterations_are_known_by_their_names);
    tcase_add_test(tcase, events_without_category_are_told_by_their_name);
    tcase_add_test(tcase, tasks_are_told_by_their_type_and_others_are_work);
    tcase_add_test(tcase, a_name_is_kept_once_for_each_kind);
    tcase_add_test(tcase, thousands_of_names_are_found_again);
    tcase_add_test(tcase, names_without_end_share_one_but_keep_their_meaning);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(vocabulary_suite)
