-- SPDX-License-Identifier: Apache-2.0
-- title: Copies, transposes and casts between kernels
-- topic: kernels
-- todo: Keep one layout and one type through the network (channels_last, formats of the library); let a compiler fuse them
-- instead-of: critical-path
-- reason: Kernels that only change layout or type compute nothing. Speaks from 5 % of the time on; at most their time can be
--   saved.
-- source: PyTorch, channels last memory format; CANN, TransData; inputs with this cause and a known gain in tests/causes
SELECT 'rank ' || rank AS subject,
       count || ' kernels that change layout or type, mostly ' || longest || ', take ' || printf('%.1f', 100 * sum_us / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time' AS sentence,
       1.02 * sum_us + count * coalesce((SELECT sum(time_us) / sum(count) FROM trace_critical_path WHERE part = 'kernel_gap'), 0) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       sum_us AS value, 'us' AS unit, 'trace_kernel_groups' AS from_table, 'sum_us' AS from_column
FROM trace_kernel_groups WHERE "group" = 'copy and layout' AND sum_us >= 0.05 * (SELECT max(length_us) FROM trace_critical_path);
