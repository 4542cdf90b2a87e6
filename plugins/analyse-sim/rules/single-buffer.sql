-- SPDX-License-Identifier: Apache-2.0
-- title: The busiest pipe waits for flags: load, compute and store take turns
-- topic: pipes
-- todo: Double buffering, so that the next tile is loaded while this one is computed
-- reason: A pipe that only waits for a flag of another pipe has nothing to do because both use one buffer. A launch takes as long as its
--   longest core, and that core at least as long as its busiest pipe works, so that all waiting of that pipe is the most that could be
--   saved; the first load cannot come earlier. Below 10 % of the core's time waits are not mentioned: some are needed.
-- source: Ascend C, double buffer; the reference chip's own account of the same operators with one buffer and with two
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, worked_us DESC, core, pipe) AS place
  FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%s, the busiest pipe, waits for flags %.0f %% of the time', pipe, 100 * waited_us / duration_us)
         || CASE WHEN partner IS NULL AND code IS NULL THEN ''
                 ELSE ', most' || coalesce(' for ' || partner, '') || coalesce(' at ' || code, '') END AS sentence,
       sum(waited_us) OVER (PARTITION BY kernel) AS gain_us, (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       waited_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'waited_us' AS from_column,
       printf('duration=%.2f us, worked=%.2f us, waited=%.2f us', duration_us, worked_us, waited_us) AS numbers,
       coalesce(longest_start_us, start_us) AS start_us, core AS track
FROM pipe WHERE place = 1 AND waited_us >= 0.1 * duration_us;
