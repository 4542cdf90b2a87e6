-- SPDX-License-Identifier: Apache-2.0
-- title: Scalar instructions keep the other pipes waiting
-- topic: pipes
-- todo: Compute addresses once before the loop, unroll it, pass constants as template or tiling arguments, let one instruction do more
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: The scalar pipe issues for all others. Where it is busy longest, and at least half of the time, they wait for it. Without its work the
--   longest core would still take as long as its next pipe is busy.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: Ascend C, best practices on scalar computation; scalar_ratio with other pipes idle
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('Scalar is busy %.0f %% of the time, longer than any other pipe: address arithmetic and loops keep the others waiting', busy_percent) AS sentence,
       sum(min(most_us, min(busy_percent, 100 - coalesce(next_percent, 0)) * core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       busy_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'busy_percent' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, waits=%.1f %%, next pipe=%.1f %%', core_us, busy_percent, coalesce(wait_percent, 0), coalesce(next_percent, 0)) AS numbers
FROM pipe
WHERE place = 1 AND pipe = 'Scalar' AND busy_percent >= 50;
