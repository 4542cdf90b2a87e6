-- SPDX-License-Identifier: Apache-2.0
-- title: Communication that no computation hides
-- topic: communication
-- todo: Begin it earlier, in smaller buckets, and in a stream of its own; order buckets as gradients come
-- instead-of: critical-path, overlap
-- reason: While a rank only communicates, computation that does not depend on it could run. At most that time can be saved.
SELECT 'rank ' || card AS subject,
       'Communication takes ' || printf('%.1f', 100 * (communication_us - overlapped_us) / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time while nothing is computed' AS sentence,
       communication_us - overlapped_us AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       communication_us AS value, 'us' AS unit, 'overlap_cards' AS from_table, 'communication_us' AS from_column
FROM overlap_cards WHERE communication_us - overlapped_us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
