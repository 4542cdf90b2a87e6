-- SPDX-License-Identifier: Apache-2.0
-- title: The launch is at its roof
-- topic: roofline
-- severity: note
-- todo: Nothing to gain here but less traffic below the roof of a memory, or fewer operations below that of the cores
-- reason: From 80 % of a roof on, the memory or the cores bound the launch, whatever else its cores wait for. Peaks are measured, so that a
--   launch may exceed them a little; beyond 1.2 times the stated peak is evidently not that of this device.
-- source: the roofline model; measured peaks in the chip file
SELECT kernel AS subject,
       printf('The launch is %s: it reaches %.0f %% of its roof', CASE WHEN bound IN ('memory bound', 'compute bound') THEN bound ELSE 'near its bound' END,
              100 * min(max(share), 1)) || coalesce(' (' || roof || ')', '')
         || CASE WHEN max(share) > 1.005 THEN printf(', %.4g times the stated peak', max(share)) ELSE '' END AS sentence,
       NULL AS gain_us, NULL AS whole_us, 100 * min(max(share), 1) AS value, '%' AS unit, 'pmu_roofline' AS from_table, 'share' AS from_column
FROM pmu_roofline WHERE share BETWEEN 0.8 AND 1.2 GROUP BY kernel;
