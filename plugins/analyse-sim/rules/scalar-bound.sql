-- SPDX-License-Identifier: Apache-2.0
-- title: Scalar instructions keep the other pipes waiting
-- topic: pipes
-- todo: Compute addresses once before the loop, unroll it, pass constants as template or tiling arguments, let one instruction do more
-- reason: The scalar pipe issues for all others. While only it works, they have nothing to do. Without its work the longest core would
--   still take as long as its next pipe works. Below 15 % of the core's time it is not mentioned: each kernel reads its arguments.
-- source: Ascend C, best practices on scalar computation; the reference chip issues one instruction per cycle
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, alone_us IS NULL, worked_us DESC) AS place,
         max(CASE WHEN alone_us IS NULL THEN worked_us END) OVER (PARTITION BY device, kernel, "order", core) AS others_us
  FROM sim_pipes WHERE worked_us IS NOT NULL)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%.0f %% of the time only %s works: address arithmetic and loops keep the other pipes waiting', 100 * alone_us / duration_us, pipe) AS sentence,
       sum(min(worked_us, duration_us - coalesce(others_us, 0))) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       alone_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'alone_us' AS from_column,
       printf('duration=%.2f us, worked=%.2f us, alone=%.2f us, next pipe=%.2f us', duration_us, worked_us, alone_us, coalesce(others_us, 0)) AS numbers
FROM pipe WHERE place = 1 AND alone_us >= 0.15 * duration_us;
