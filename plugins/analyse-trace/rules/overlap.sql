-- SPDX-License-Identifier: Apache-2.0
-- title: Communication is not hidden behind computation
-- topic: communication
-- todo: Start it earlier or in smaller pieces (bucket sizes, order of launches), on a stream of its own, so that computation runs meanwhile
-- instead-of: critical-path
-- optional: trace_comm_overlap(rank, shared_us, communication_us, shared_queue)
-- reason: Communication that runs while nothing is computed delays all that follows. It can be hidden behind
--   computation only as far as there is computation that runs alone. What saves less than 2 % is not said.
-- source: communication while nothing is computed; inputs with this cause and a known gain in tests/causes
WITH shared AS (
    SELECT CASE WHEN rank LIKE '%/trace' THEN substr(rank, 1, length(rank) - 6) ELSE rank END AS card, shared_us AS us, communication_us,
           shared_queue AS queue
    FROM trace_comm_overlap WHERE shared_us > 0 GROUP BY card
)
SELECT CASE WHEN c.card GLOB '[0-9]*' THEN 'rank ' || c.card ELSE c.card END AS subject,
       printf('Only communication runs for %.1f %% of the time', 100 * c.communication_us / span_us) ||
         CASE WHEN shared.us >= 0.5 * shared.communication_us
              THEN ', and cannot be hidden: it is in the same stream as computation, ' ||
                   CASE WHEN shared.queue GLOB '[0-9]*' THEN 'stream ' ELSE '' END || shared.queue ELSE '' END AS sentence,
       CASE WHEN shared.us >= 0.5 * shared.communication_us
            THEN 'Put it on a stream of its own: a stream does one piece of work after the other' END AS todo,
       min(c.communication_us, computation_us) AS gain_us,
       span_us AS whole_us,
       c.communication_us AS value, 'us' AS unit, 'overlap_cards' AS from_table, 'communication_us' AS from_column,
       printf('communication=%.3f us, span=%.3f us', c.communication_us, span_us) ||
         CASE WHEN waiting_us IS NULL THEN '' ELSE printf(', waiting=%.3f us', waiting_us) END AS numbers
FROM overlap_cards AS c LEFT JOIN shared ON shared.card = c.card
WHERE c.communication_us >= 0.02 * span_us;
