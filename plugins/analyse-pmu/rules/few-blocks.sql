-- SPDX-License-Identifier: Apache-2.0
-- title: Too few blocks for the device
-- topic: cores
-- todo: Split the work into as many blocks as the device has cores, or a multiple of that
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: A block runs on one core; the others have nothing to do. If all cores shared the work evenly, the cores would take less by the share
--   that is idle now. Small operators may not be worth it: each block has its own head.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: Ascend C, block dim; the number of cores in the chip file
WITH load AS (
  SELECT loads.*, row_number() OVER (PARTITION BY loads.device, loads.kernel, loads."order" ORDER BY longest_us DESC, kind) AS place,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(loads.launch_us, longest_us) ELSE coalesce(loads.launch_us, longest_us) END AS most_us
  FROM pmu_loads AS loads LEFT JOIN pmu_roofline AS roof ON roof.device IS loads.device AND roof.kernel IS loads.kernel AND roof."order" IS loads."order"
  WHERE longest_us > 0)
SELECT kernel AS subject,
       printf('Only %d of the device''s %d %scores are used', cores, device_cores, CASE kind WHEN 'cube' THEN 'cube ' WHEN 'vector' THEN 'vector ' ELSE '' END) AS sentence,
       sum(min(most_us, longest_us * (1 - 1.0 * cores / device_cores))) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(coalesce(launch_us, longest_us)) FROM load WHERE place = 1) AS whole_us,
       cores AS value, '1' AS unit, 'pmu_loads' AS from_table, 'cores' AS from_column,
       printf('cores used=%d, cores=%d, longest core=%.2f us', cores, device_cores, longest_us) AS numbers
FROM load WHERE place = 1 AND cores < device_cores;
