-- SPDX-License-Identifier: Apache-2.0
-- title: Scalar instructions keep the other pipes waiting
-- topic: pipes
-- todo: Compute addresses once before the loop, unroll it, pass constants as template or tiling arguments, let one instruction do more
-- reason: The scalar pipe and the control of the flow issue for all other pipes. While none of these works, scalar code or a branch keeps them waiting.
--   Without it the longest core would still take as long as its busiest other pipe works. At least half of that time must be work of the
--   front end, and below 15 % of the core's time it is not mentioned: loops need some.
-- source: Ascend C, best practices on scalar computation; the reference chip issues one instruction per cycle
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, is_front DESC, worked_us DESC, pipe) AS place,
         sum(is_front * worked_us) OVER (PARTITION BY device, kernel, "order", core) AS front_us,
         max((1 - is_front) * worked_us) OVER (PARTITION BY device, kernel, "order", core) AS others_us
  FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%.0f %% of the time no pipe works but %s: address arithmetic and loops keep the others waiting', 100 * alone_us / duration_us, pipe) AS sentence,
       sum(min(alone_us + front_us, duration_us - others_us)) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       alone_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'alone_us' AS from_column,
       printf('duration=%.2f us, alone=%.2f us, front end=%.2f us, busiest other pipe=%.2f us', duration_us, alone_us, front_us, others_us) AS numbers,
       start_us AS start_us, core AS track
FROM pipe WHERE place = 1 AND alone_us >= 0.15 * duration_us AND front_us >= 0.5 * alone_us;
