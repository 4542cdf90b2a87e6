/* SPDX-License-Identifier: Apache-2.0 */
/* What all charts of the chart library have in common. */
opprof.charts = (function () {
  const all = [];

  function isThere() {
    return typeof Chart === 'function';
  }

  function style(chart) {
    const ink = opprof.theme.colour('soft');
    const line = opprof.theme.colour('line');
    for (const scale of Object.values(chart.options.scales || {})) {
      scale.ticks.color = ink;
      scale.title.color = ink;
      scale.grid.color = line;
      scale.grid.borderColor = line;
    }
    chart.options.plugins.legend.labels.color = ink;
    chart.update('none');
  }

  /* A chart on a canvas, in the colours of the page. */
  function create(canvas, settings) {
    const chart = new Chart(canvas, settings);
    style(chart);
    all.push(chart);
    return chart;
  }

  opprof.theme.onChange(() => all.forEach(style));

  return { isThere, create };
}());
