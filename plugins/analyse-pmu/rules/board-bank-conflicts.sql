-- SPDX-License-Identifier: Apache-2.0
-- title: Bank conflicts slow the vector unit down
-- topic: vector
-- todo: Give operands of one instruction different groups of banks: pad buffers by 32 bytes, or choose strides that are no multiple of 512 bytes
-- optional: pmu_roofline(device, kernel, order, share)
-- reason: While accesses to one group of banks take place one after the other, the vector unit is busy without a result. These cycles are the most
--   that could be saved, and the longest core would still take as long as its next pipe is busy. Mentioned where the vector unit is busy longest.
--   It cannot be faster than its nearest roof, either, unless that is evidently stated too low.
-- source: Ascend C, bank conflicts of the unified buffer; vec_total_cflt_ratio
WITH pipe AS (
  SELECT pipes.*, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent,
         CASE WHEN share <= 1.2 THEN max(1 - share, 0) * coalesce(pipes.launch_us, core_us) ELSE pipes.core_us END AS most_us
  FROM pmu_pipes AS pipes LEFT JOIN pmu_roofline AS roof ON roof.device IS pipes.device AND roof.kernel IS pipes.kernel AND roof."order" IS pipes."order"
  WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY pipes.device, pipes.kernel, pipes."order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('%s loses %.0f %% of the time to bank conflicts', pipe, lost_percent) AS sentence,
       sum(min(most_us, min(lost_percent, 100 - coalesce(next_percent, 0)) * core_us / 100)) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       lost_percent AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'lost_percent' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, waits=%.1f %%, next pipe=%.1f %%', core_us, busy_percent, coalesce(wait_percent, 0), coalesce(next_percent, 0)) AS numbers
FROM pipe
WHERE place = 1 AND pipe LIKE 'Vector%' AND lost_percent > 0;
