-- SPDX-License-Identifier: Apache-2.0
-- title: A rank has more to compute than the others
-- topic: balance
-- todo: Give each rank the same work: batches of equal cost (sequence lengths, experts), equal parts of the network
-- instead-of: moving-imbalance, small-messages, critical-path, overlap, collectives, late-card, path-on-one-rank
-- optional: trace_step_spread(computation_most_rank), trace_kernel_groups(rank, group, sum_us, count)
-- reason: A rank that comes last in collectives and computes longer than the others, by half of what it costs at least, is late
--   because of that. Of two ranks the faster one is usual, else the median. The group of kernels that takes most beyond the usual tells how:
--   more of them, or longer ones. Where all of its work is slower, its device is slow, which another rule says. With the
--   usual work it would need that much less, within 5 %.
-- source: the work of each rank, and that ranks leave a collective together; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path),
firsts AS (
    SELECT computation_most_rank AS rank, count(*) AS count FROM trace_step_spread GROUP BY computation_most_rank
), others AS (
    SELECT CASE WHEN count(*) < 3 THEN min(compute_us) ELSE median(compute_us) END AS compute_us, count(*) AS ranks
    FROM trace_temporal_breakdown WHERE rank <> 'all'
), heavy AS (
    SELECT own.rank, own.compute_us, others.compute_us AS usual_us, late.late, late.count
    FROM trace_collective_ranks AS late JOIN trace_temporal_breakdown AS own ON own.rank = late.rank JOIN others JOIN run
         LEFT JOIN firsts ON firsts.rank = own.rank
    WHERE late.cost_us >= 0.02 * run.us AND own.compute_us > 1.04 * others.compute_us
      AND own.compute_us - others.compute_us >= 0.5 * late.cost_us
      AND coalesce(firsts.count, 0) >= 0.6 * (SELECT count(*) FROM trace_step_spread)
), usual AS (
    SELECT own."group" AS name, CASE WHEN count(*) <= 0.5 * max(others.ranks) THEN 0 WHEN count(*) < 3 THEN min(sum_us) ELSE median(sum_us) END AS sum_us,
           CASE WHEN count(*) < 3 THEN min(own.count) ELSE median(own.count) END AS count
    FROM trace_kernel_groups AS own JOIN others
    WHERE own."group" NOT IN ('communication', 'memory') AND EXISTS (SELECT 1 FROM heavy) GROUP BY own."group"
), most AS (
    SELECT own.rank, own."group" AS name, max(own.sum_us - usual.sum_us) AS beyond_us, usual.sum_us, own.sum_us AS own_us,
           1.0 * own.count / usual.count AS times
    FROM trace_kernel_groups AS own JOIN usual ON usual.name = own."group"
    WHERE own.rank IN (SELECT rank FROM heavy) GROUP BY own.rank
)
SELECT 'rank ' || heavy.rank AS subject,
       printf('This rank computes %.1f %% longer than the others, which wait for it in %d of %d collectives',
              100 * (heavy.compute_us / heavy.usual_us - 1), late, heavy.count)
           || CASE WHEN coalesce(beyond_us, 0) <= 0 THEN ''
                   WHEN most.sum_us = 0 THEN ': no other one runs kernels of the group ' || most.name
                   WHEN times > 1.04 THEN printf(': it runs %.2f times as many kernels of the group %s', times, most.name)
                   ELSE printf(': its kernels of the group %s, no more than theirs, take %.1f %% longer', most.name,
                               100 * (own_us / most.sum_us - 1)) END AS sentence,
       1.05 * (heavy.compute_us - heavy.usual_us) AS gain_us, run.us AS whole_us,
       heavy.compute_us AS value, 'us' AS unit, 'trace_temporal_breakdown' AS from_table, 'compute_us' AS from_column
FROM heavy LEFT JOIN most ON most.rank = heavy.rank JOIN run;
