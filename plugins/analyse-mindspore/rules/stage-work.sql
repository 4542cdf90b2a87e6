-- SPDX-License-Identifier: Apache-2.0
-- title: A stage of the pipeline has more work
-- topic: stage work
-- todo: Move layers to other stages
-- subjects: all
-- reason: The mean operations of its ranks are more than 20 % above the mean of the stages.
-- source: the thresholds of MindInsight's proposals
WITH stages AS (
    SELECT stage, avg(mflops) AS mflops FROM mindspore_ranks WHERE mode = 'pipeline-parallel' GROUP BY stage
), everything AS (
    SELECT avg(mflops) AS mean FROM stages
)
SELECT 'stage ' || stage AS subject,
       printf('%.1f MFLOPs in a step, %.2f %% more than the mean of the stages', mflops, 100 * (mflops - mean) / mean) AS sentence,
       100 * (mflops - mean) / mean AS value, '%' AS unit, 'mindspore_ranks' AS from_table, 'mflops' AS from_column
FROM stages JOIN everything
WHERE mflops > 1.2 * mean AND (SELECT count(*) FROM mindspore_ranks WHERE mflops IS NULL) = 0 AND (SELECT count(*) FROM mindspore_ranks) > 1
ORDER BY mflops DESC, stage;
