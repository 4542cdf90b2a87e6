-- SPDX-License-Identifier: Apache-2.0
-- title: The launch takes longer than its cores work
-- topic: launches
-- todo: Give the operator more work, or fuse it with its neighbours; less tiling data and fewer arguments
-- reason: The task begins before its first core and ends after its last one: loading code and arguments, distributing blocks, waiting for the task
--   scheduler. All of it is the most that could be saved. Below 15 % of the launch it is not mentioned, since each launch has some.
-- source: Ascend C, best practices on head overhead; duration of the task and cycles of the longest core
WITH load AS (
  SELECT *, row_number() OVER (PARTITION BY device, kernel, "order" ORDER BY longest_us DESC, kind) AS place FROM pmu_loads WHERE longest_us > 0)
SELECT kernel AS subject,
       printf('The launch takes %.2f us, but its longest core only %.2f us: the rest is overhead of the launch', launch_us, longest_us) AS sentence,
       sum(launch_us - longest_us) OVER (PARTITION BY kernel) AS gain_us,
       (SELECT sum(coalesce(launch_us, longest_us)) FROM load WHERE place = 1) AS whole_us,
       launch_us AS value, 'us' AS unit, 'pmu_loads' AS from_table, 'launch_us' AS from_column
FROM load WHERE place = 1 AND launch_us - longest_us >= 0.15 * launch_us;
