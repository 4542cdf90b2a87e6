-- SPDX-License-Identifier: Apache-2.0
-- title: Some iterations have more to compute than the others
-- topic: iterations
-- todo: Evaluate, log and collect statistics less often, or on another device; leave such iterations out of what you measure
-- instead-of: critical-path
-- reason: Iterations that are longer than the median by more than the noise, and differ most in what they compute. An annotation that is there
--   no more often than they are, and has launched most, is what they do: without it its work would vanish. Without one the rule
--   is silent, since the host may be ahead of the device, so that their length does not say how much they compute.
-- source: the iterations of the run, and what annotations launched; inputs with this cause and a known gain in tests/causes
WITH run AS (SELECT max(length_us) AS us FROM trace_critical_path)
SELECT NULL AS subject,
       printf('%d of %d iterations %s more than the others, such as %s, for %.1f %% of the time, in %s', slow.slow, slow.count,
              CASE slow.slow WHEN 1 THEN 'computes' ELSE 'compute' END, slowest, 100 * max(device_total_us) / run.us, name) AS sentence,
       1.02 * max(device_total_us) AS gain_us, run.us AS whole_us,
       device_total_us AS value, 'us' AS unit, 'trace_annotations' AS from_table, 'device_total_us' AS from_column
FROM trace_step_ranks AS slow JOIN trace_annotations AS marked ON marked.rank = slow.rank AND marked.count <= slow.slow JOIN run
WHERE slow.slow > 0 AND slow.count > 2 AND slow.slow < 0.5 * slow.count AND differs_in = 'compute' AND device_total_us > 0 AND name <> slowest
HAVING max(device_total_us) > 0;
