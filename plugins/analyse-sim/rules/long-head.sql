-- SPDX-License-Identifier: Apache-2.0
-- title: The kernel takes long to begin
-- topic: pipes
-- todo: Give each core more work, or fuse this operator with its neighbours; fewer arguments and less tiling data to read
-- reason: Before the first move or computation a kernel reads its arguments and computes addresses. This takes the same time however much
--   follows, so that it only matters in short operators. All of it is the most that could be saved. Below 15 % of the core's time it is
--   not mentioned, nor in less than a microsecond.
-- source: Ascend C, best practices on head overhead of operators
WITH pipe AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY duration_us DESC, core, pipe) AS place FROM sim_pipes)
SELECT coalesce(kernel, 'core ' || core) AS subject,
       printf('%.0f %% of the time passes before the first move or computation begins', 100 * head_us / duration_us) AS sentence,
       sum(head_us) OVER (PARTITION BY kernel) AS gain_us, (SELECT sum(duration_us) FROM pipe WHERE place = 1) AS whole_us,
       head_us AS value, 'us' AS unit, 'sim_pipes' AS from_table, 'head_us' AS from_column,
       printf('duration=%.2f us, head=%.2f us', duration_us, head_us) AS numbers,
       start_us AS start_us, core AS track
FROM pipe WHERE place = 1 AND head_us >= 0.15 * duration_us AND duration_us >= 1;
