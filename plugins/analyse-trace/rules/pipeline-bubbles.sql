-- SPDX-License-Identifier: Apache-2.0
-- title: Stages of the pipeline wait for each other
-- topic: communication
-- todo: More and smaller micro-batches, another schedule (one forward, one backward; interleaved), stages of equal cost
-- instead-of: critical-path, overlap
-- reason: The kernel of NCCL called SendRecv also does all-to-all: only the name of the collective counts. Sends and receives that nothing hides are mostly waiting for the other stage. Each is of one rank, so the mean of
--   the ranks counts. At most the rank's time of communication that nothing hides can be saved, since stages differ.
-- source: sends and receives that nothing hides; inputs with this cause and a known gain in tests/causes
WITH passing AS (
    SELECT sum((count + alone) * transfer_us) / (SELECT count(*) FROM overlap_cards) AS us FROM trace_collectives
    WHERE lower(name) LIKE 'send%' OR lower(name) LIKE 'recv%' OR lower(name) LIKE 'isend%' OR lower(name) LIKE 'irecv%'
       OR lower(name) LIKE 'hcom_send%' OR lower(name) LIKE 'hcom_receive%'
)
SELECT 'rank ' || card AS subject,
       'Sends and receives between stages take ' || printf('%.1f', 100 * min(passing.us, communication_us) / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time while nothing is computed' AS sentence,
       communication_us AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       passing.us AS value, 'us' AS unit, 'trace_collectives' AS from_table, 'transfer_us' AS from_column
FROM overlap_cards, passing
WHERE min(passing.us, communication_us) >= 0.5 * communication_us
  AND min(passing.us, communication_us) >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
