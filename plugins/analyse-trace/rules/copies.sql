-- SPDX-License-Identifier: Apache-2.0
-- title: Copies that nothing hides
-- topic: copies
-- todo: Copy in a stream of its own, prefetch, and copy fewer and larger pieces
-- instead-of: critical-path
-- optional: trace_copies(direction, count, total_us)
-- reason: Where a copy runs and no computation or communication, the device only copies. That time could vanish, and with it the moments
--   between them, 2 % at most. Fills are said to be fills where they take most of it; they are
--   short, and the device waits for each.
-- source: CUDA C++ best practices: overlap copies with computation; inputs with this cause and a known gain in tests/causes
WITH alone AS (SELECT sum(sum_us) AS us FROM trace_kernel_types WHERE type = 'MEMORY'),
     fills AS (SELECT sum(total_us) AS us, sum(count) AS count FROM trace_copies WHERE direction = 'fill'),
     ranks AS (SELECT count(*) AS count, max(idle_us) AS idle_us FROM trace_temporal_breakdown WHERE rank <> 'all')
SELECT NULL AS subject,
       CASE WHEN fills.us > 0.5 * alone.us THEN fills.count || ' fills take ' ELSE 'Copies take ' END || printf('%.1f', 100 * alone.us / ranks.count / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time while nothing else runs' AS sentence,
       CASE WHEN fills.us > 0.5 * alone.us THEN 'Fill fewer and larger pieces, or none: gradients set to none instead of zero (set_to_none)' END AS todo,
       1.02 * alone.us / ranks.count
         + CASE WHEN fills.us > 0.5 * alone.us THEN min(2.0 * fills.count / ranks.count, idle_us) ELSE 0 END AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       alone.us AS value, 'us' AS unit, 'trace_kernel_types' AS from_table, 'sum_us' AS from_column
FROM alone, fills, ranks WHERE alone.us / ranks.count >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
