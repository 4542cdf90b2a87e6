-- SPDX-License-Identifier: Apache-2.0
-- title: Steps are far apart
-- topic: iteration interval
-- todo: Look at what prepares the data: the queues of data, the data pipeline, the host
-- subjects: all
-- reason: Before the forward pass of a step the device waits for its data: more than 0.5 ms in the mean is more than the transfer of a
--   batch needs. Without the first step.
-- source: the thresholds of MindInsight's proposals
SELECT 'device ' || device AS subject,
       printf('%.2f ms pass before the forward pass of a step', mean_us / 1000)
           || coalesce(printf(', %.1f %% of it', share), '') AS sentence,
       mean_us AS value, 'us' AS unit, 'mindspore_step_summary' AS from_table, 'mean(us)' AS from_column
FROM mindspore_step_summary
WHERE part = 'iteration_interval' AND mean_us > 500
ORDER BY device;
