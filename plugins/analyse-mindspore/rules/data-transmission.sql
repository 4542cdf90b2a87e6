-- SPDX-License-Identifier: Apache-2.0
-- title: Data does not reach the device in time
-- topic: data transmission
-- todo: Look at the transfer to the device: its bandwidth, the size of a batch, other work on the same link
-- subjects: all
-- reason: The host has its queue filled (it is empty for 30 % of the batches at most), but the device found its own one empty: the way
--   between them is slow.
-- source: the thresholds of MindInsight's proposals
SELECT 'device ' || own.device AS subject,
       printf('The queue on the device was empty for %d of %d batches, but the one of the host was not', own.empty, own.batches) AS sentence,
       own.empty AS value, '1' AS unit, 'mindspore_queues' AS from_table, 'empty' AS from_column
FROM mindspore_queues AS own JOIN mindspore_queues AS host ON host.device = own.device AND host.queue = 'device_queue'
WHERE own.queue = 'get_next' AND own.empty > 0 AND host.batches > 0 AND host.empty <= 0.3 * host.batches
ORDER BY own.device;
