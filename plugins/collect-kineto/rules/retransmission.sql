-- SPDX-License-Identifier: Apache-2.0
-- title: A network sends data again
-- topic: communication
-- severity: problem
-- todo: Look for lost packets: counters of the network cards and switches, flow control (PFC), cables and optical modules
-- reason: Data that is lost on the network is sent again after a timeout, which is 4 s or more unless HCCL_RDMA_TIMEOUT is lower.
--   A transfer of one operator never takes so long otherwise.
-- source: the threshold of MindStudio's analyser
SELECT 'rank ' || rank AS subject,
       name || ' moves data over RDMA for ' || printf('%.1f', max(time_us) / 1e6)
           || ' s: above 4 s, data is lost and sent again'
           || CASE count(*) WHEN 1 THEN '' ELSE ' (' || count(*) || ' operators)' END AS sentence,
       max(time_us) AS value, 'us' AS unit, 'ascend_links' AS from_table,
       'time_us' AS from_column
FROM ascend_links
WHERE transport = 'RDMA' AND time_us > 4e6
GROUP BY rank;
