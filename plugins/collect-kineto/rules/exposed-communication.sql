-- SPDX-License-Identifier: Apache-2.0
-- title: Communication is not hidden behind computation in the profiler's steps
-- topic: communication
-- todo: Start it earlier or in smaller pieces (bucket sizes, order of launches), on a stream of its own, so that computation runs meanwhile
-- optional: overlap_cards(card)
-- reason: The profiler's own sums of its steps, for directories without a trace; of a trace the rule overlap says the same from
--   its work. Without what waits for other stages of a pipeline, where the profiler tells that apart. It can be hidden only as
--   far as there is computation. What saves less than 2 % is not said.
-- source: the profiler's step_trace_time.csv
WITH ranks AS (
    SELECT rank, sum(coalesce(exposed_without_receive_us, exposed_communication_us)) AS exposed_us, sum(computing_us) AS computing_us,
           sum(computing_us + coalesce(exposed_communication_us, 0) + free_us) AS us
    FROM ascend_steps GROUP BY rank
)
SELECT 'rank ' || rank AS subject,
       printf('Only communication runs for %.1f %% of the steps', 100 * exposed_us / us) AS sentence,
       min(exposed_us, computing_us) AS gain_us, us AS whole_us,
       exposed_us AS value, 'us' AS unit, 'ascend_steps' AS from_table,
       'exposed_communication_us' AS from_column
FROM ranks
WHERE exposed_us >= 0.02 * us AND NOT EXISTS (SELECT 1 FROM overlap_cards);
