-- SPDX-License-Identifier: Apache-2.0
-- title: The busiest pipe waits for flags: load, compute and store take turns
-- topic: pipes
-- todo: Double buffering, so that the next tile is loaded while this one is computed
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: A pipe that waits for a flag of another pipe has nothing to do because both use one buffer. The launch waits for its longest core,
--   which takes at least as long as its busiest pipe is busy, so that the waits of that pipe are the most that could be saved. Below 10 % of
--   the core's time they are not mentioned: some are needed.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: Ascend C, double buffer; wait cycles of pipes (events mte2_wait and others)
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('%s, the busiest pipe, waits for flags %.0f %% of the time', pipe, wait_percent) AS sentence,
       sum(min(most_us, min(wait_percent, 100 - busy_percent) * core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       wait_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'wait_percent' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, waits=%.1f %%, next pipe=%.1f %%', core_us, busy_percent, coalesce(wait_percent, 0), coalesce(next_percent, 0)) AS numbers
FROM pipe
WHERE place = 1 AND wait_percent >= 10 AND pipe <> 'Scalar';
