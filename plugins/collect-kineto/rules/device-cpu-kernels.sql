-- SPDX-License-Identifier: Apache-2.0
-- title: Kernels run on the CPU of the device
-- topic: kernels
-- todo: Other types or shapes, or other operators, that the compute cores support; data that the device reads without copying it, for GetNext
-- instead-of: device-cpu
-- reason: Operators that the compute cores do not support run on the device's CPU (AI CPU), which is slower by orders of
--   magnitude. At most the time of these kernels can be saved; the whole is from the first kernel of a rank to its last.
-- source: CANN: operators on AI CPU and AI Core
WITH ranks AS (
    SELECT rank, max(start_ns / 1000.0 + duration_us) - min(start_ns / 1000.0) AS us
    FROM ascend_kernels WHERE start_ns IS NOT NULL GROUP BY rank
), slow AS (
    SELECT rank, coalesce(type, name) AS kind, count(*) AS count, sum(duration_us) AS us
    FROM ascend_kernels WHERE core IN ('AI_CPU', 'AICPU') GROUP BY rank, coalesce(type, name)
)
SELECT 'rank ' || rank AS subject,
       sum(count) || CASE sum(count) WHEN 1 THEN ' kernel runs' ELSE ' kernels run' END
           || ' on the CPU of the device' || CASE count(*) WHEN 1 THEN ' (' ELSE ' (most of the time ' END
           || (SELECT kind FROM slow AS most WHERE most.rank = slow.rank ORDER BY most.us DESC, kind LIMIT 1)
           || ') for ' || printf('%.1f', 100 * sum(slow.us) / ranks.us) || ' % of the time' AS sentence,
       sum(slow.us) AS gain_us, ranks.us AS whole_us, sum(slow.us) AS value, 'us' AS unit,
       'ascend_kernels' AS from_table, 'duration_us' AS from_column
FROM slow JOIN ranks USING (rank)
GROUP BY rank;
