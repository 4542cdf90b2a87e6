-- SPDX-License-Identifier: Apache-2.0
-- title: One kernel takes most of the device's time
-- topic: kernels
-- severity: hint
-- todo: Look for another algorithm or library for it, or profile it alone
-- instead-of: critical-path
-- optional: trace_kernel_groups(rank, longest_name, group)
-- reason: A kernel that is not a matrix product, attention or convolution and takes over 40 % of the time deserves a profile of
--   its own. What it could take at least is unknown, so there is no gain.
-- source: the sums of the kernels of the run; inputs with this cause and a known gain in tests/causes
SELECT 'rank ' || one.rank AS subject,
       one.short_name || ' takes ' || printf('%.1f', 100 * one.sum_us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       NULL AS gain_us, NULL AS whole_us,
       one.sum_us AS value, 'us' AS unit, 'trace_kernel_breakdown' AS from_table, 'sum_us' AS from_column
FROM trace_kernel_breakdown AS one
     LEFT JOIN trace_kernel_groups AS family ON family.rank = one.rank AND family.longest_name = one.name
WHERE one.type = 'COMPUTATION' AND one.name <> 'others' AND one.sum_us > 0.4 * (SELECT max(length_us) FROM trace_critical_path)
  AND coalesce(family."group", '') NOT IN ('gemm', 'attention', 'convolution');
