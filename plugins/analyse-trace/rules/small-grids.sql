-- SPDX-License-Identifier: Apache-2.0
-- title: Kernels have too few blocks for the device
-- topic: kernels
-- todo: Split the work further (over rows, heads, or the sum itself: split-K), or run such kernels side by side in several streams
-- instead-of: dominating-kernel, critical-path
-- reason: A unit of the device runs whole blocks, so with fewer blocks than units some have nothing to do. Speaks of kernels that
--   have at most half as many and take at least 10 us: shorter ones are mostly latency. With as many blocks as units their time
--   would be shorter by no more than the share of the units without a block.
-- source: blocks of a launch against the units in the facts about devices; inputs with this cause and a known gain in tests/causes
WITH few AS (
    SELECT rank, coalesce(short_name, name) AS name, count, most, units, few_us, unused_us,
           row_number() OVER (PARTITION BY rank ORDER BY unused_us DESC) AS number,
           sum(unused_us) OVER (PARTITION BY rank) AS unused, sum(few_us) OVER (PARTITION BY rank) AS few
    FROM trace_kernel_grids WHERE 2 * most <= units AND total_us >= 10 * count
)
SELECT 'rank ' || rank AS subject,
       name || ' has ' || most || CASE most WHEN 1 THEN ' block' ELSE ' blocks' END || ' for the ' || units
           || ' units of the device; such kernels run for ' || printf('%.1f', 100 * few / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time' AS sentence,
       1.01 * unused AS gain_us, (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       most AS value, 'blocks' AS unit, 'trace_kernel_grids' AS from_table, 'most' AS from_column
FROM few WHERE number = 1;
