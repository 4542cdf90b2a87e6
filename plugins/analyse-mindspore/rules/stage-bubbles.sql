-- SPDX-License-Identifier: Apache-2.0
-- title: Stages of the pipeline wait for each other
-- topic: pipeline bubbles
-- todo: More micro-batches, stages with equal work, another schedule
-- subjects: all
-- reason: Waiting for data of other stages takes more than 10 % of computation and communication.
-- source: the thresholds of MindInsight's proposals
SELECT 'all ranks' AS subject,
       printf('Waiting for other stages takes %.1f %% of the time', 100 * sum(receive_us) / (sum(computation_us) + sum(communication_us))) AS sentence,
       100 * sum(receive_us) / (sum(computation_us) + sum(communication_us)) AS value, '%' AS unit,
       'mindspore_ranks' AS from_table, 'receive(us)' AS from_column
FROM mindspore_ranks
WHERE (SELECT count(*) FROM mindspore_ranks WHERE receive_us IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
HAVING max(mode) = 'pipeline-parallel' AND sum(receive_us) > 0.1 * (sum(computation_us) + sum(communication_us));
