-- SPDX-License-Identifier: Apache-2.0
-- title: A rank waits for others in collectives
-- topic: communication
-- severity: note
-- todo: Look at the rank that comes last: hiding communication does not help while others wait for it
-- instead-of: overlap
-- reason: Communication begins for all when the last rank has come. Where at least 70 % of a rank's communication that nothing hides is such waiting,
--   transfers are not the cause; what another rank does is, so that there is no gain of this rank's own.
-- source: ranks leave a collective together, so the wait of each is known without a common clock; inputs with this cause and a known gain in tests/causes
WITH last AS (SELECT rank, max(cost_us) AS cost FROM trace_collective_ranks)
SELECT CASE WHEN card GLOB '[0-9]*' THEN 'rank ' || card ELSE card END AS subject,
       printf('This rank waits for others in collectives for %.1f %% of the time', 100 * min(ranks.wait_us, cards.communication_us) / cards.span_us)
         || CASE WHEN last.rank <> card AND last.cost >= 0.5 * ranks.wait_us THEN ', mostly for rank ' || last.rank ELSE '' END AS sentence,
       NULL AS gain_us, NULL AS whole_us,
       ranks.wait_us AS value, 'us' AS unit, 'trace_collective_ranks' AS from_table, 'wait_us' AS from_column
FROM overlap_cards AS cards JOIN trace_collective_ranks AS ranks ON ranks.rank = cards.card, last
WHERE cards.communication_us >= 0.02 * cards.span_us AND ranks.wait_us >= 0.7 * cards.communication_us;
