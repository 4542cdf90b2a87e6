-- SPDX-License-Identifier: Apache-2.0
-- title: Vector instructions do little work each
-- topic: vector
-- todo: More repetitions in one instruction (process a whole tile instead of a row), and full masks
-- reason: Each vector instruction takes some cycles to begin, however few repetitions follow, and a repetition takes its cycle whatever its
--   mask. Fewer than eight full repetitions are few. Time beyond a full repetition per cycle is the most that could be saved, and the
--   longest core would still take as long as its next pipe works. Mentioned where the vector pipe works longest.
-- source: Ascend C, best practices: one instruction has up to 255 repetitions of 256 bytes; the reference chip takes 8 cycles to begin
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS place,
         lead(worked_us) OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS next_us
  FROM sim_pipes WHERE worked_us IS NOT NULL),
short AS (
  SELECT *, sum(running_us * (1 - min(repeats * calls / cycles, 1))) OVER (PARTITION BY device, kernel, "order", core, pipe) AS all_us,
         sum(calls) OVER (PARTITION BY device, kernel, "order", core, pipe) AS all_calls,
         row_number() OVER (PARTITION BY device, kernel, "order", core, pipe
                            ORDER BY running_us * (1 - min(repeats * calls / cycles, 1)) DESC, pc) AS place
  FROM sim_operations WHERE repeats < 8 AND cycles > 0)
SELECT coalesce(pipe.kernel, 'core ' || pipe.core) AS subject,
       printf('%s%s processes only %.0f bytes at a time, %.0f cycles each (%d such instructions in all)', short.name, coalesce(' at ' || short.code, ''),
              256 * short.repeats, 1.0 * short.cycles / short.calls, short.all_calls) AS sentence,
       sum(min(short.all_us, worked_us, duration_us - coalesce(next_us, 0))) OVER (PARTITION BY pipe.kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       short.repeats AS value, '1' AS unit, 'sim_operations' AS from_table, 'repeats' AS from_column,
       printf('duration=%.2f us, short instructions=%.2f us, next pipe=%.2f us', duration_us, short.all_us, coalesce(next_us, 0)) AS numbers,
       pipe.start_us AS start_us, pipe.core AS track
FROM pipe JOIN short ON short.device IS pipe.device AND short.kernel IS pipe.kernel AND short."order" IS pipe."order"
  AND short.core = pipe.core AND short.pipe = pipe.pipe
WHERE pipe.place = 1 AND short.place = 1 AND short.all_calls >= 8;
