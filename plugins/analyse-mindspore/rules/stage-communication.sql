-- SPDX-License-Identifier: Apache-2.0
-- title: A stage of the pipeline communicates for long
-- topic: stage communication
-- todo: Another way to split the work within the stage; fewer, larger pieces of communication
-- subjects: all
-- reason: Collectives within the stage take more than 10 % of its computation and communication; the worst stage counts.
-- source: the thresholds of MindInsight's proposals
WITH stages AS (
    SELECT stage, sum(collective_us) / (sum(computation_us) + sum(communication_us)) AS share
    FROM mindspore_ranks WHERE mode = 'pipeline-parallel' GROUP BY stage
)
SELECT 'stage ' || stage AS subject,
       printf('Collectives within the stage take %.1f %% of its time', 100 * share) AS sentence,
       100 * share AS value, '%' AS unit, 'mindspore_ranks' AS from_table, 'collective(us)' AS from_column
FROM stages
WHERE share > 0.1 AND (SELECT count(*) FROM mindspore_ranks WHERE collective_us IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
ORDER BY share DESC, stage LIMIT 1;
