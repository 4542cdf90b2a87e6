-- SPDX-License-Identifier: Apache-2.0
-- title: The data pipeline is slow
-- topic: data pipeline
-- todo: Raise num_parallel_workers of this operation; a map or generator in Python is faster with fewer, larger steps or as MindRecord, a batch with prefetching
-- subjects: all
-- optional: mindspore_queues(device, queue, batches, empty)
-- reason: An operation whose queue is less filled than the one before it by more than 0.1 does not keep up with its input, and one that
--   reads the data keeps its queue filled less than 0.6 if reading is slow. Where all queues but the last are filled 0.8 or more, the
--   pipeline is not what the device waits for; nor is it where only the way to the device is slow (data-transmission).
-- source: the thresholds of MindInsight's proposals
WITH queues AS (
    SELECT * FROM mindspore_pipeline WHERE parent_id IS NOT NULL AND queue_usage IS NOT NULL
), slow AS (
    SELECT own.*, max(input.queue_usage) AS before FROM queues AS own LEFT JOIN queues AS input ON input.device = own.device AND input.parent_id = own.op_id
    GROUP BY own.device, own.op_id
    HAVING max(input.queue_usage) - own.queue_usage > 0.1 OR (max(input.queue_usage) IS NULL AND own.queue_usage < 0.6)
)
SELECT 'device ' || device || ' ' || op_type || '_' || op_id AS subject,
       'The queue of ' || op_type || ' is filled to ' || printf('%.0f', 100 * queue_usage) || ' %'
           || CASE WHEN before IS NULL THEN ', and it reads the data' ELSE printf(', that of its input to %.0f %%', 100 * before) END AS sentence,
       queue_usage AS value, '1' AS unit, 'mindspore_pipeline' AS from_table, 'queue_usage' AS from_column
FROM slow
WHERE EXISTS (SELECT 1 FROM queues WHERE queues.device = slow.device AND queues.queue_usage < 0.8)
  AND NOT EXISTS (
      SELECT 1 FROM mindspore_queues AS own JOIN mindspore_queues AS host ON host.device = own.device AND host.queue = 'device_queue'
      WHERE own.device = slow.device AND own.queue = 'get_next' AND own.empty > 0 AND host.batches > 0
        AND host.empty <= 0.3 * host.batches)
ORDER BY device, op_id;
