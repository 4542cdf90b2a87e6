-- SPDX-License-Identifier: Apache-2.0
-- title: Very many short kernels of one kind
-- topic: kernels
-- todo: Do them at once: foreach functions of the framework, one larger tensor, or a compiler that fuses them
-- instead-of: critical-path
-- reason: A kernel of a few microseconds takes about as long as its start. Speaks from 200 kernels of a group in an iteration on that
--   take 10 us at most on average and 5 % of the time together; not for products, attention and convolutions, which are done one by one. At
--   most their time can be saved, and the moments between them.
-- source: CUDA C++ best practices: work for each kernel; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path)
SELECT 'rank ' || own.rank AS subject,
       printf('%d kernels of the group %s run in each iteration, mostly %s, of %.1f us on average; they take %.1f %% of the time',
              own.count / steps.count, own."group", own.longest, own.mean_us, 100 * own.sum_us / run.us) AS sentence,
       own.sum_us + min(2.0 * own.count, device.idle_us) AS gain_us, run.us AS whole_us,
       own.count AS value, NULL AS unit, 'trace_kernel_groups' AS from_table, 'count' AS from_column
FROM trace_kernel_groups AS own JOIN trace_step_ranks AS steps ON steps.rank = own.rank
     JOIN trace_temporal_breakdown AS device ON device.rank = own.rank JOIN run
WHERE own."group" NOT IN ('gemm', 'attention', 'convolution', 'communication', 'memory', 'mixture of experts')
  AND own.count >= 200 * steps.count AND own.mean_us <= 10 AND own.sum_us >= 0.05 * run.us;
