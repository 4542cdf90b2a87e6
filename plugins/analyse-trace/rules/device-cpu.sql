-- SPDX-License-Identifier: Apache-2.0
-- title: Operators run on the CPU of the device
-- topic: kernels
-- todo: Other types or shapes, or other operators, that the compute cores support
-- instead-of: dominating-kernel, critical-path
-- reason: Operators that the compute cores do not support run on the device's CPU (AI CPU), which is slower by orders of
--   magnitude. At most their time and the gaps before them can be saved.
-- source: CANN: operators on AI CPU and AI Core; inputs with this cause and a known gain in tests/causes
WITH slow AS (
    SELECT rank, max(short_name) AS name, sum(count) AS count, sum(sum_us) AS us FROM trace_kernel_breakdown
    WHERE name LIKE '%aicpu%' OR name LIKE '%ai_cpu%' GROUP BY rank
)
SELECT 'rank ' || rank AS subject,
       count || ' operators run on the CPU of the device, such as ' || name || ', for ' || printf('%.1f', 100 * us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       1.02 * us + count * coalesce((SELECT sum(time_us) / sum(count) FROM trace_critical_path WHERE part = 'kernel_gap'), 0) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       us AS value, 'us' AS unit, 'trace_kernel_breakdown' AS from_table, 'sum_us' AS from_column
FROM slow;
