-- SPDX-License-Identifier: Apache-2.0
-- title: Nothing is wrong
-- topic: summary
-- severity: note
-- when: silent
-- todo: Less work for the cores, or profile the launch alone for what they do
-- reason: Speaks only where no other rule does, of the rank that computes most, and says how much of its time that is; silent if it is less than half.
-- source: the times of computation of all ranks
SELECT NULL AS subject,
       printf('No cause above 2 %% was found: cores compute for %.0f %% of the time, and communication is hidden but for %.1f %%',
              100 * (1 - (communication_us + idle_us) / span_us), 100 * communication_us / span_us) AS sentence,
       computation_us AS value, 'us' AS unit, 'overlap_cards' AS from_table, 'computation_us' AS from_column
FROM overlap_cards WHERE span_us > 0 AND communication_us + idle_us <= 0.5 * span_us ORDER BY computation_us DESC, card LIMIT 1;
