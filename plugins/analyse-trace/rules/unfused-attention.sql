-- SPDX-License-Identifier: Apache-2.0
-- title: Attention in separate kernels
-- topic: kernels
-- todo: Use a fused attention: scaled_dot_product_attention, or a library's (FlashAttention)
-- instead-of: unfused-elementwise, critical-path
-- reason: Attention by a product, a scale, a mask, a softmax, dropout and another product writes and reads a matrix of all pairs of tokens
--   each time; fused it never exists. Shown by operators: a softmax (not of a loss, which is log_softmax) and batched products, at least as many. Their
--   softmax can be saved at most, and elementwise kernels of up to four times its time.
-- source: FlashAttention (Dao et al., 2022): attention bound by its traffic; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
softmax AS (
    SELECT rank, max(count) AS count, sum(device_self_us) AS us FROM trace_operators
    WHERE name LIKE '%softmax%' AND name NOT LIKE '%log_softmax%' GROUP BY rank
), products AS (
    SELECT rank, sum(count) AS count FROM trace_operators WHERE name LIKE '%::bmm' OR name LIKE '%::baddbmm' GROUP BY rank
), elementwise AS (
    SELECT rank, sum(sum_us) AS us FROM trace_kernel_groups WHERE "group" = 'elementwise' GROUP BY rank
)
SELECT 'rank ' || softmax.rank AS subject,
       printf('Attention runs as separate kernels: softmax alone takes %.1f %% of the time, %d times, between batched products',
              100 * softmax.us / run.us, softmax.count) AS sentence,
       softmax.us + min(4 * softmax.us, coalesce(elementwise.us, 0)) AS gain_us, run.us AS whole_us,
       softmax.us AS value, 'us' AS unit, 'trace_operators' AS from_table, 'device_self_us' AS from_column
FROM softmax JOIN products ON products.rank = softmax.rank LEFT JOIN elementwise ON elementwise.rank = softmax.rank JOIN run
WHERE products.count >= softmax.count AND softmax.us >= 0.02 * run.us;
