-- SPDX-License-Identifier: Apache-2.0
-- title: Attention in separate kernels
-- topic: kernels
-- todo: Use a fused attention: scaled_dot_product_attention, or a library's (FlashAttention)
-- instead-of: unfused-elementwise, critical-path
-- reason: Attention by a product, a scale, a mask, a softmax, dropout and another product writes and reads a matrix of all pairs of tokens
--   each time; fused it never exists. Shown by four softmax kernels in an iteration at least (a loss has two), twice as many products, and less
--   time in fused attention. The softmax can be saved at most, and elementwise kernels of up to four times its time.
-- source: FlashAttention (Dao et al., 2022): attention bound by its traffic; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
groups AS (
    SELECT rank, max(CASE "group" WHEN 'softmax' THEN sum_us END) AS softmax_us, max(CASE "group" WHEN 'softmax' THEN count END) AS softmax,
           max(CASE "group" WHEN 'gemm' THEN count END) AS products, max(CASE "group" WHEN 'elementwise' THEN sum_us ELSE 0 END) AS elementwise_us,
           max(CASE "group" WHEN 'attention' THEN sum_us ELSE 0 END) AS fused_us
    FROM trace_kernel_groups WHERE "group" IN ('softmax', 'gemm', 'elementwise', 'attention') GROUP BY rank
)
SELECT 'rank ' || groups.rank AS subject,
       printf('Attention runs as separate kernels: %d of softmax, between products, take %.1f %% of the time', softmax,
              100 * softmax_us / run.us) AS sentence,
       softmax_us + min(4 * softmax_us, elementwise_us) AS gain_us, run.us AS whole_us,
       softmax_us AS value, 'us' AS unit, 'trace_kernel_groups' AS from_table, 'sum_us' AS from_column
FROM groups JOIN trace_step_ranks AS steps ON steps.rank = groups.rank JOIN run
WHERE softmax >= 4 * steps.count AND products >= 2 * softmax AND fused_us < softmax_us AND softmax_us >= 0.02 * run.us;
