-- SPDX-License-Identifier: Apache-2.0
-- title: Bank conflicts slow the vector pipe down
-- topic: vector
-- todo: Give operands of one instruction different groups of banks: pad buffers by 32 bytes, or choose strides that are no multiple of 512 bytes
-- reason: Accesses of a repetition that meet in a group of banks take place one after the other. Time beyond a repetition with a full mask
--   per cycle is the most that could be saved, and the longest core would still take as long as its next pipe works. Mentioned where the vector pipe works longest.
-- source: Ascend C, bank conflicts of the unified buffer: 16 groups of 32 bytes
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS place,
         lead(worked_us) OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS next_us
  FROM sim_pipes WHERE worked_us IS NOT NULL),
slow AS (
  SELECT *, running_us * (1 - min(repeats * calls / cycles, 1)) AS lost_us,
         sum(running_us * (1 - min(repeats * calls / cycles, 1))) OVER (PARTITION BY device, kernel, "order", core, pipe) AS all_us,
         row_number() OVER (PARTITION BY device, kernel, "order", core, pipe
                            ORDER BY running_us * (1 - min(repeats * calls / cycles, 1)) DESC, pc) AS place
  FROM sim_operations WHERE conflicts > 0 AND repeats >= 8 AND cycles > 0)
SELECT coalesce(pipe.kernel, 'core ' || pipe.core) AS subject,
       printf('%s%s has %d bank conflicts in each repetition and takes %.1f cycles for it', slow.name, coalesce(' at ' || slow.code, ''), slow.conflicts,
              1.0 * slow.cycles / slow.calls / slow.repeats) AS sentence,
       sum(min(slow.all_us, worked_us, duration_us - coalesce(next_us, 0))) OVER (PARTITION BY pipe.kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       slow.conflicts AS value, '1' AS unit, 'sim_operations' AS from_table, 'conflicts' AS from_column,
       printf('duration=%.2f us, with conflicts=%.2f us, next pipe=%.2f us', duration_us, slow.all_us, coalesce(next_us, 0)) AS numbers,
       pipe.start_us AS start_us, pipe.core AS track
FROM pipe JOIN slow ON slow.device IS pipe.device AND slow.kernel IS pipe.kernel AND slow."order" IS pipe."order"
  AND slow.core = pipe.core AND slow.pipe = pipe.pipe
WHERE pipe.place = 1 AND slow.place = 1;
