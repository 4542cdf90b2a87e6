-- SPDX-License-Identifier: Apache-2.0
-- title: Moves between global memory and the core are far below the bandwidth
-- topic: memory
-- todo: Larger and contiguous moves (16 KiB or more at a time) from addresses that are multiples of 512 bytes
-- reason: A short or unaligned move mostly waits for the memory's latency. The pipe would be busy for less time if it reached 80 % of its
--   peak; below half of it this is mentioned, where the pipe is busy longest. A launch cannot be faster than its nearest roof, and without
--   a known roof nothing is said, since all cores share the memory.
-- source: Ascend C, best practices: move 16 KiB or more at a time; peaks of paths in the chip file
WITH pipe AS (
  SELECT *, row_number() OVER core AS place, lead(busy_percent) OVER core AS next_percent
  FROM pmu_pipes WHERE busy_percent IS NOT NULL AND core_us > 0
  WINDOW core AS (PARTITION BY device, kernel, "order" ORDER BY core_us DESC, block, kind, sub_block, busy_percent DESC, pipe))
SELECT pipe.kernel AS subject,
       printf('%s, the busiest pipe, reaches only %.0f %% of its bandwidth while it is busy', pipe, 100 * of_peak) AS sentence,
       sum(min(busy_percent * (1 - of_peak / 0.8) * core_us / 100, coalesce(pipe.launch_us, core_us) * (1 - roof.share))) OVER (PARTITION BY pipe.kernel) AS gain_us, (SELECT sum(coalesce(launch_us, core_us)) FROM pipe WHERE place = 1) AS whole_us,
       100 * of_peak AS value, '%' AS unit, 'pmu_pipes' AS from_table, 'of_peak' AS from_column,
       printf('core=%.2f us, busy=%.1f %%, nearest roof=%.1f %%', core_us, busy_percent, 100 * roof.share) AS numbers
FROM pipe JOIN pmu_roofline AS roof ON roof.device IS pipe.device AND roof.kernel IS pipe.kernel AND roof."order" IS pipe."order"
WHERE place = 1 AND moves = 1 AND pipe IN ('MTE2', 'MTE3') AND busy_percent >= 50 AND of_peak < 0.5 AND roof.share < 0.8;
