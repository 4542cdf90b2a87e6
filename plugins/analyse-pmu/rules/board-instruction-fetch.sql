-- SPDX-License-Identifier: Apache-2.0
-- title: The core waits for instructions
-- topic: instruction cache
-- todo: Smaller code: fewer variants in one kernel, less unrolling and inlining, so that the loop stays in the instruction cache
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: The scalar pipe has no instruction while a line of code is fetched. These cycles are the most that could be saved, and the longest core would
--   still take as long as its busiest pipe is busy. The first fetch of each line is needed: below 5 % of the core's time, and below 10 us, which
--   a full cache takes at 80 ns for each of its 128 lines, they are not mentioned.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: scalar_wait_ib_time of PipeUtilization; the instruction cache has 16 KiB
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('The core waits for instructions %.0f %% of the time: the code does not stay in the instruction cache', scalar.lost_percent) AS sentence,
       sum(min(most_us, min(scalar.lost_percent, 100 - pipe.busy_percent) * pipe.core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       scalar.lost_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'lost_percent' AS from_column,
       printf('core=%.2f us, waits=%.1f %%, %s is busy=%.1f %%', pipe.core_us, scalar.lost_percent, pipe.pipe, pipe.busy_percent) AS numbers
FROM pipe JOIN pmu_pipes AS scalar ON scalar.device IS pipe.device AND scalar.kernel IS pipe.kernel AND scalar."order" IS pipe."order"
  AND scalar.kind IS pipe.kind AND scalar.block = pipe.block AND scalar.sub_block = pipe.sub_block
WHERE place = 1 AND scalar.pipe = 'Scalar' AND scalar.lost_percent >= 5 AND scalar.lost_percent * pipe.core_us >= 1000;
