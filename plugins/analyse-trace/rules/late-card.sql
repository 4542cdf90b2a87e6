-- SPDX-License-Identifier: Apache-2.0
-- title: The other ranks wait for one
-- topic: communication
-- todo: Look at this card: its clock, its share of the work, its machine
-- reason: The card that waits least is the last to arrive. All others would end earlier by what the next one waits
--   longer than it.
-- source: ranks leave a collective together, so the one that waits least came last; inputs with this cause and a known gain in tests/causes
SELECT CASE WHEN card GLOB '[0-9]*' THEN 'rank ' || card ELSE card END AS subject,
       printf('The other ranks wait for this one: it waits for %.1f %% of the time itself, less than any of them', 100 * waiting_us / span_us) AS sentence,
       (SELECT min(waiting_us) FROM overlap_cards AS other WHERE other.card <> late.card) - waiting_us AS gain_us,
       span_us AS whole_us,
       waiting_us AS value, 'us' AS unit, 'overlap_cards' AS from_table, 'waiting_us' AS from_column,
       printf('communication=%.3f us, span=%.3f us, waiting=%.3f us', communication_us, span_us, waiting_us) AS numbers
FROM overlap_cards AS late
WHERE is_late = 1;
