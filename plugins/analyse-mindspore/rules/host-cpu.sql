-- SPDX-License-Identifier: Apache-2.0
-- title: The host's CPU is busy
-- topic: host cpu
-- todo: Less work for the host: fewer workers of the data pipeline, lighter operations, other processes elsewhere
-- subjects: all
-- reason: A host that is busy for more than 80 % of the time slows down what prepares the data.
-- source: the thresholds of MindInsight's proposals
SELECT 'device ' || device AS subject,
       printf('The CPU of the host is busy for %.0f %% of the time', 100 - mean) AS sentence,
       100 - mean AS value, '%' AS unit, 'mindspore_cpu' AS from_table, 'mean' AS from_column
FROM mindspore_cpu
WHERE scope = 'device' AND metric = 'idle_utilization' AND 100 - mean > 80
ORDER BY device;
