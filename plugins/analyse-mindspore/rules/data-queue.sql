-- SPDX-License-Identifier: Apache-2.0
-- title: The host does not fill the queue of data in time
-- topic: data queue
-- todo: Make the data pipeline faster: its slow operations, more workers, MindRecord; or caches
-- subjects: all
-- reason: If the queue from which data goes to the device is empty more often than for 30 % of the batches, the host prepares them too slowly.
-- source: the thresholds of MindInsight's proposals
SELECT 'device ' || device AS subject,
       printf('The queue of data to the device was empty for %.0f %% of %d %s', 100.0 * empty / batches, batches,
              CASE batches WHEN 1 THEN 'batch' ELSE 'batches' END) AS sentence,
       100.0 * empty / batches AS value, '%' AS unit, 'mindspore_queues' AS from_table, 'empty' AS from_column
FROM mindspore_queues
WHERE queue = 'device_queue' AND batches > 0 AND empty > 0.3 * batches
ORDER BY device;
