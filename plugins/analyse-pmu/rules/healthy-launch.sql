-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- instead-of: healthy-launch-without-roof, healthy-cache, healthy-communication
-- todo: Less traffic or fewer operations: nothing else makes a launch faster that is near its roof
-- reason: Speaks only where no other rule does, of the longest launch, and says how close it is to its nearest roof, which is the device's peak,
--   and how busy the busiest pipe of its longest core is.
-- source: the roofline model; peaks in the chip file
WITH pipe AS (
  SELECT *, row_number() OVER (ORDER BY coalesce(launch_us, core_us) DESC, device, kernel, "order", core_us DESC, block, kind, sub_block, busy_percent DESC, pipe) AS place
  FROM pmu_pipes WHERE busy_percent IS NOT NULL AND core_us > 0)
SELECT NULL AS subject,
       printf('No cause above 2 %% was found: %s, the busiest pipe, is busy %.0f %% of the time', pipe, busy_percent)
         || CASE WHEN share > 1.2 THEN printf(', and the launch reaches %.1f times the stated peak of its nearest roof', share)
                 ELSE printf(', and the launch reaches %.0f %% of its nearest roof', 100 * min(share, 1)) END || coalesce(' (' || roof || ')', '') AS sentence,
       CASE WHEN share >= 0.8 OR busy_percent >= 70 THEN NULL ELSE 'Latencies bound the launch: larger tiles and more work for each core hide them' END AS todo,
       NULL AS gain_us, NULL AS whole_us, 100 * min(share, 1) AS value, '%' AS unit, 'pmu_roofline' AS from_table, 'share' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, share of the roof=%.4g', core_us, busy_percent, share) AS numbers
FROM pipe JOIN pmu_roofline AS roof ON roof.device IS pipe.device AND roof.kernel IS pipe.kernel AND roof."order" IS pipe."order"
WHERE place = 1 AND share IS NOT NULL;
