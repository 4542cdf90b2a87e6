-- SPDX-License-Identifier: Apache-2.0
-- title: A pipe that only moves data inside the core bounds it
-- topic: pipes
-- todo: Keep tiles in L0 longer, so that more products use each of them, or add up in L0C and move the result out once
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: MTE1 feeds the cube unit from L1, and FIXP takes its results out. Where one of them is busy longest, more products for each tile
--   that it moves would help. Without its work the longest core would still take as long as its next pipe is busy. It is mentioned where
--   it is busy at least 70 % of the core's time.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: the structure of the cube core: GM to L1 (MTE2), L1 to L0 (MTE1), L0C to GM (FIXP)
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('%s, which only moves tiles inside the core, is busy %.0f %% of the time, longer than any other pipe', pipe, busy_percent) AS sentence,
       sum(min(most_us, min(busy_percent, 100 - next_percent) * core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       busy_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'busy_percent' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, waits=%.1f %%, next pipe=%.1f %%', core_us, busy_percent, coalesce(wait_percent, 0), coalesce(next_percent, 0)) AS numbers
FROM pipe
WHERE place = 1 AND pipe IN ('MTE1', 'FIXP') AND busy_percent >= 70 AND next_percent IS NOT NULL;
