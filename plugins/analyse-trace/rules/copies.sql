-- SPDX-License-Identifier: Apache-2.0
-- title: Copies that nothing hides
-- topic: copies
-- todo: Copy in a stream of its own, prefetch, and copy fewer and larger pieces
-- instead-of: critical-path
-- reason: Where a copy runs and no computation or communication, the device only copies. That time could vanish, and with it the moments
--   between them, 2 % at most.
-- source: CUDA C++ best practices: overlap copies with computation; inputs with this cause and a known gain in tests/causes
WITH alone AS (SELECT sum(sum_us) AS us FROM trace_kernel_types WHERE type = 'MEMORY'),
     ranks AS (SELECT count(*) AS count FROM trace_temporal_breakdown WHERE rank <> 'all')
SELECT NULL AS subject,
       'Copies take ' || printf('%.1f', 100 * alone.us / ranks.count / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time while nothing else runs' AS sentence,
       1.02 * alone.us / ranks.count AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       alone.us AS value, 'us' AS unit, 'trace_kernel_types' AS from_table, 'sum_us' AS from_column
FROM alone, ranks WHERE alone.us / ranks.count >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
