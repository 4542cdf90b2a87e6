-- SPDX-License-Identifier: Apache-2.0
-- title: The core waits for instructions
-- topic: instruction cache
-- todo: Smaller code: fewer variants in one kernel, less unrolling and inlining, so that the loop stays in the instruction cache
-- reason: The first miss of each line of code is needed; misses at the same address again mean that the code does not stay in the cache. Time in which no
--   pipe works, the front end included, is then lost to them. The longest core would still take as long as its busiest pipe works, and as
--   long as its front end does. Below 5 % of the core's time it is not mentioned.
-- source: the log of the instruction cache; the misses alone are short, the time without issue is not
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, is_front, worked_us DESC, pipe) AS place,
         sum(is_front * worked_us) OVER (PARTITION BY device, kernel, "order", core) AS front_us
  FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('The code does not stay in the instruction cache: %d misses at addresses that had missed before, and no pipe works %.0f %% of the time',
              again, 100 * alone_us / duration_us) AS sentence,
       sum(duration_us - max(worked_us, front_us)) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       again AS value, '1' AS unit, 'sim_pipes' AS from_table, 'again' AS from_column,
       printf('duration=%.2f us, no pipe works=%.2f us, busiest pipe=%.2f us, misses=%d', duration_us, alone_us, worked_us, misses) AS numbers,
       start_us AS start_us, core AS track
FROM pipe WHERE place = 1 AND again >= 16 AND alone_us - front_us >= 0.05 * duration_us;
