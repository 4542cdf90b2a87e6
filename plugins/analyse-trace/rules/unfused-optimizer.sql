-- SPDX-License-Identifier: Apache-2.0
-- title: The optimizer launches many small kernels
-- topic: optimizer
-- todo: A fused or foreach optimizer (fused=True), or compile its step
-- instead-of: host-bound, unfused-elementwise, small-kernels, host-activity, critical-path
-- reason: A fused optimizer needs a few kernels. Speaks from 100 kernels a step on; at most their time on the device and the idle
--   time while the host is in the optimizer can be saved.
-- source: PyTorch, torch.optim: foreach and fused implementations; inputs with this cause and a known gain in tests/causes
WITH steps AS (
    SELECT rank, name, count, kernels_total AS kernels, device_total_us AS device_us, total_us AS host_us
    FROM trace_annotations WHERE lower(name) LIKE '%optimizer%step%' AND kernels_total > 100 * count
)
SELECT 'rank ' || steps.rank AS subject,
       printf('%s launches %d kernels each time', steps.name, steps.kernels / steps.count) AS sentence,
       steps.device_us + min(steps.host_us, (SELECT max(length_us) FROM trace_critical_path) - device.compute_us - device.non_compute_us) AS gain_us,
       (SELECT max(length_us) FROM trace_critical_path) AS whole_us,
       steps.kernels AS value, NULL AS unit, 'trace_annotations' AS from_table, 'kernels_total' AS from_column
FROM steps JOIN trace_temporal_breakdown AS device ON device.rank = steps.rank;
