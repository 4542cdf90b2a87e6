-- SPDX-License-Identifier: Apache-2.0
-- title: Moves between global memory and the core are short
-- topic: memory
-- todo: Larger tiles, or several rows in one move: at least 16 KiB a move reach the bandwidth
-- reason: Each move first takes the memory's latency, however few bytes follow. Moves of fewer than 2 KiB on average are short. Their time
--   is the most that could be saved, and the longest core would still take as long as its next pipe works. Mentioned where the busiest
--   pipe spends at least half of its work on them, in eight moves or more.
-- source: Ascend C, best practices: move 16 KiB or more at a time; the reference chip's latency is 70 to 180 cycles, that of 2 KiB about 20
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS place,
         lead(worked_us) OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, worked_us DESC, pipe) AS next_us
  FROM sim_pipes WHERE worked_us IS NOT NULL),
move AS (
  SELECT device, kernel, "order", core, pipe, sum(calls) AS calls, sum(bytes) AS bytes, sum(running_us) AS us, max(name) AS name, min(code) AS code
  FROM sim_operations WHERE bytes > 0 AND bytes < 2048 * calls
  GROUP BY device, kernel, "order", core, pipe)
SELECT coalesce(pipe.kernel, 'core ' || pipe.core) AS subject,
       printf('%s, the busiest pipe, moves only %d bytes at a time (%s, %d times', pipe.pipe, move.bytes / move.calls, move.name, move.calls)
         || coalesce(', first at ' || move.code, '') || ')' AS sentence,
       sum(min(move.us, worked_us, duration_us - coalesce(next_us, 0))) OVER (PARTITION BY pipe.kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       move.bytes / move.calls AS value, 'byte' AS unit, 'sim_operations' AS from_table, 'bytes' AS from_column,
       printf('duration=%.2f us, short moves=%.2f us, next pipe=%.2f us', duration_us, move.us, coalesce(next_us, 0)) AS numbers,
       pipe.start_us AS start_us, pipe.core AS track
FROM pipe JOIN move ON move.device IS pipe.device AND move.kernel IS pipe.kernel AND move."order" IS pipe."order"
  AND move.core = pipe.core AND move.pipe = pipe.pipe
WHERE pipe.place = 1 AND move.calls >= 8 AND move.us >= 0.5 * worked_us;
