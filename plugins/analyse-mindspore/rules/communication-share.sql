-- SPDX-License-Identifier: Apache-2.0
-- title: Ranks communicate for long
-- topic: communication share
-- todo: Larger batches or fewer, larger pieces of communication; overlap it with computation; another way to split the work
-- subjects: all
-- reason: Communication while nothing computes takes more than 10 % of it and the computation, where the work is split by data or by model.
-- source: the thresholds of MindInsight's proposals
SELECT 'all ranks' AS subject,
       printf('Communication that nothing hides takes %.1f %% of the time', 100 * sum(communication_us) / (sum(computation_us) + sum(communication_us))) AS sentence,
       100 * sum(communication_us) / (sum(computation_us) + sum(communication_us)) AS value, '%' AS unit,
       'mindspore_ranks' AS from_table, 'communication(us)' AS from_column
FROM mindspore_ranks
WHERE (SELECT count(*) FROM mindspore_ranks WHERE communication_us IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
HAVING max(mode) IN ('data-parallel', 'model-parallel') AND sum(communication_us) > 0.1 * (sum(computation_us) + sum(communication_us));
