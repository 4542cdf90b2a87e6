-- SPDX-License-Identifier: Apache-2.0
-- title: Barriers keep work waiting
-- topic: pipes
-- todo: Replace barriers of all pipes by flags between the two pipes that share a buffer, or move them out of the loop
-- reason: While a barrier waits, nothing more is issued. A barrier that only the end of the kernel follows does not count. Without
--   barriers the longest core would still take as long as its busiest pipe works. Below 5 % of the core's time they are not mentioned.
-- source: Ascend C, PipeBarrier: instructions after it begin when all before it have ended
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, worked_us DESC, core, pipe) AS place
  FROM sim_pipes WHERE worked_us IS NOT NULL),
barrier AS (
  SELECT device, kernel, "order", core, code, detail, calls, longest_start_us AS start, sum(waited_us) OVER (PARTITION BY device, kernel, "order", core) AS waited_us,
         waited_us AS own_us, row_number() OVER (PARTITION BY device, kernel, "order", core ORDER BY waited_us DESC, code, detail) AS place
  FROM sim_barriers)
SELECT coalesce(pipe.kernel, 'core ' || pipe.core) AS subject,
       printf('Barriers wait %.0f %% of the time', 100 * barrier.waited_us / duration_us) || ', most '
         || coalesce('at ' || barrier.code, 'with ' || barrier.detail) || printf(' (%d times)', barrier.calls) AS sentence,
       sum(min(barrier.waited_us, duration_us - worked_us)) OVER (PARTITION BY pipe.kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       barrier.own_us AS value, 'us' AS unit, 'sim_barriers' AS from_table, 'waited_us' AS from_column,
       printf('duration=%.2f us, barriers=%.2f us, busiest pipe=%.2f us', duration_us, barrier.waited_us, worked_us) AS numbers,
       barrier.start AS start_us, pipe.core AS track
FROM pipe JOIN barrier ON barrier.device IS pipe.device AND barrier.kernel IS pipe.kernel AND barrier."order" IS pipe."order"
  AND barrier.core = pipe.core
WHERE pipe.place = 1 AND barrier.place = 1 AND barrier.waited_us >= 0.05 * duration_us;
