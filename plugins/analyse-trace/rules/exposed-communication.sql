-- SPDX-License-Identifier: Apache-2.0
-- title: Communication that no computation hides
-- topic: communication
-- todo: Begin it earlier, in smaller buckets, and in a stream of its own; order buckets as gradients come
-- instead-of: critical-path, overlap
-- reason: While a rank only communicates, computation that does not depend on it could run. At most that time can be saved.
SELECT 'rank ' || card AS subject,
       'Communication takes ' || printf('%.1f', 100 * (c.communication_us - overlapped_us) / (SELECT max(length_us) FROM trace_critical_path))
           || ' % of the time while nothing is computed'
           || CASE WHEN shared_us >= 0.5 * o.communication_us
                   THEN ', and cannot be hidden: it is in the same stream as computation, '
                        || CASE WHEN shared_queue GLOB '[0-9]*' THEN 'stream ' ELSE '' END || shared_queue ELSE '' END AS sentence,
       CASE WHEN shared_us >= 0.5 * o.communication_us
            THEN 'Put it in a stream of its own: a stream does one piece of work after the other' END AS todo,
       c.communication_us - overlapped_us AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       c.communication_us AS value, 'us' AS unit, 'overlap_cards' AS from_table, 'communication_us' AS from_column
FROM overlap_cards AS c LEFT JOIN trace_comm_overlap AS o ON o.rank = c.card
WHERE c.communication_us - overlapped_us >= 0.02 * (SELECT max(length_us) FROM trace_critical_path);
