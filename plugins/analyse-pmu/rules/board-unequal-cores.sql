-- SPDX-License-Identifier: Apache-2.0
-- title: One core takes longer than the others
-- topic: cores
-- todo: Split the work evenly: a number of blocks that is a multiple of the number of cores, and tails shared among all of them
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: A launch takes as long as its longest core. If the cores of its kind shared the work evenly, each would take their mean. Cores of
--   another kind (cube, vector) have work of their own.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: the definition of the mean; cycles of each core
WITH load AS (
  SELECT loads.*, row_number() OVER (PARTITION BY loads.device, loads.kernel, loads."order" ORDER BY longest_us DESC, kind) AS place,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(loads.launch_us, longest_us) ELSE coalesce(loads.launch_us, longest_us) END AS most_us
  FROM pmu_loads AS loads LEFT JOIN pmu_roofline AS roof ON roof.device IS loads.device AND roof.kernel IS loads.kernel AND roof."order" IS loads."order"
  WHERE longest_us > 0)
SELECT kernel AS subject,
       printf('The core of block %d takes %.2f us, the mean of the %d %scores is %.2f us', longest_core, longest_us, cores,
              CASE kind WHEN 'cube' THEN 'cube ' WHEN 'vector' THEN 'vector ' ELSE '' END, mean_us)
         || CASE WHEN blocks % device_cores <> 0 AND blocks > device_cores THEN printf('; the number of blocks, %d, is no multiple of the %d cores', blocks, device_cores) ELSE '' END AS sentence,
       sum(min(most_us, longest_us - mean_us)) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(coalesce(launch_us, longest_us)) FROM load WHERE place = 1) AS whole_us,
       longest_us AS value, 'us' AS unit, 'pmu_loads' AS from_table, 'longest_us' AS from_column,
       printf('longest=%.2f us, mean=%.2f us, cores=%d, blocks=%d', longest_us, mean_us, cores, blocks) AS numbers
FROM load WHERE place = 1 AND cores > 1;
