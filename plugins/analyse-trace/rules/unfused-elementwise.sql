-- SPDX-License-Identifier: Apache-2.0
-- title: Chains of elementwise kernels
-- topic: kernels
-- todo: Let a compiler fuse them (torch.compile, jit), or use fused operators of a library
-- instead-of: critical-path
-- reason: Each elementwise kernel reads and writes all of its data. Fused, most of that traffic vanishes, at most their time.
--   Speaks from 25 % of the time on.
-- source: PyTorch performance tuning guide: fuse operations; inputs with this cause and a known gain in tests/causes
SELECT 'rank ' || rank AS subject,
       count || ' elementwise kernels, mostly ' || longest || ', take ' || printf('%.1f', 100 * sum_us / (SELECT max(length_us) FROM trace_critical_path)) || ' % of the time' AS sentence,
       sum_us AS gain_us, (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sum_us AS value, 'us' AS unit, 'trace_kernel_groups' AS from_table, 'sum_us' AS from_column
FROM trace_kernel_groups WHERE "group" = 'elementwise' AND sum_us >= 0.25 * (SELECT max(length_us) FROM trace_critical_path);
