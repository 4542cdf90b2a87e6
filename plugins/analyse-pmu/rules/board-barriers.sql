-- SPDX-License-Identifier: Apache-2.0
-- title: The scalar pipe waits while no other pipe does: barriers
-- topic: pipes
-- todo: Replace barriers of all pipes by flags between the two pipes that share a buffer, or move them out of the loop
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: A barrier makes the scalar pipe, which issues for all, wait until others are done; then these have nothing to do, and wait for no flag.
--   Mentioned where the scalar pipe waits at least 30 % of the time, the waits of no other pipe come to a tenth, and the busiest one is busy less
--   than 70 %. The longest core would still take as long as that.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: Ascend C, PipeBarrier; scalar_wait_time with no pipe waiting
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe)),
scalar AS (
  SELECT device, kernel, "order", kind, block, sub_block, max(CASE WHEN pipe = 'Scalar' THEN wait_percent END) AS wait_percent,
         max(CASE WHEN pipe <> 'Scalar' THEN wait_percent END) AS most_percent
  FROM pmu_pipes GROUP BY device, kernel, "order", kind, block, sub_block)
SELECT pipe.kernel AS subject,
       printf('The scalar pipe waits %.0f %% of the time and no other pipe waits for a flag: barriers keep work waiting', scalar.wait_percent) AS sentence,
       sum(min(most_us, min(scalar.wait_percent, 100 - busy_percent) * core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       scalar.wait_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'wait_percent' AS from_column,
       printf('core=%.2f us, scalar waits=%.1f %%, %s is busy=%.1f %%', core_us, scalar.wait_percent, pipe, busy_percent) AS numbers
FROM pipe JOIN scalar ON scalar.device IS pipe.device AND scalar.kernel IS pipe.kernel AND scalar."order" IS pipe."order"
  AND scalar.kind IS pipe.kind AND scalar.block = pipe.block AND scalar.sub_block = pipe.sub_block
WHERE place = 1 AND busy_percent < 70 AND scalar.wait_percent >= 30 AND most_percent < 10;
