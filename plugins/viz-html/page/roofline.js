/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooflines: what was reached, below what the chip can move and compute, on logarithmic scales. A
 * graph has series, each a roof with points below it: for a launch one point per path, for a
 * framework's trace the operators of an element type.
 */
opprof.roofline = (function () {
  const make = opprof.elements.make;
  const TYPE = 'view.roofline';
  const waiting = []; /* charts have a size only once they are shown */
  const HUES = [210, 25, 140, 285, 355, 180, 50, 250, 95, 325];

  /* Lines of the graphs: a row of cells is one. */
  function linesOf(report) {
    const graphs = new Map();
    for (const view of opprof.data.tablesOf(report, TYPE)) {
      for (const cell of opprof.cells.list(view)) {
        if (cell.table === null) {
          continue;
        }
        const key = JSON.stringify([cell.launch, cell.table]);
        if (!graphs.has(key)) {
          graphs.set(key, { launch: cell.launch, title: cell.table, lines: new Map() });
        }
        const lines = graphs.get(key).lines;
        if (!lines.has(cell.row)) {
          lines.set(cell.row, {});
        }
        lines.get(cell.row)[cell.column] = cell.value;
      }
    }
    return Array.from(graphs.values()).map((graph) => Object.assign(graph, { lines: Array.from(graph.lines.values()).filter(canBeDrawn) }))
      .filter((graph) => graph.lines.length > 0).map(graphOf);
  }

  function canBeDrawn(line) {
    return line.bw > 0 && line.computility > 0 && line.x > 0 && line.y > 0;
  }

  /* A path of a launch as a series of one point. */
  function seriesOf(line) {
    return { name: line.bw_name, bandwidth: line.bw, peak: line.computility, points: [{ x: line.x, y: line.y, radius: 6, tell: tell(line) }] };
  }

  function graphOf(graph) {
    return {
      title: (graph.launch === '' ? '' : graph.launch + ': ') + graph.title, unit: 'TOPS',
      series: graph.lines.map(seriesOf), table: makeTable(graph), notes: [],
    };
  }

  /* After all hues, they are used again, nearer to the background. */
  function colour(number) {
    const isAgain = number >= HUES.length;
    const lightness = opprof.theme.current() === 'dark' ? (isAgain ? 50 : 68) : isAgain ? 58 : 40;
    return 'hsl(' + HUES[number % HUES.length] + ', 62%, ' + lightness + '%)';
  }

  function limits(series) {
    const roofs = series.filter((one) => one.peak !== null);
    const points = series.reduce((list, one) => list.concat(one.points), []);
    const xs = points.map((point) => point.x).concat(roofs.map((one) => one.peak / one.bandwidth));
    const ys = points.map((point) => point.y).concat(roofs.map((one) => one.peak));
    const below = (value) => Math.pow(10, Math.floor(Math.log10(value) - 0.15));
    const above = (value) => Math.pow(10, Math.ceil(Math.log10(value) + 0.15));
    return { left: below(Math.min(...xs)), right: above(Math.max(...xs)), bottom: below(Math.min(...ys)), top: above(Math.max(...ys)) };
  }

  /* Up to the ridge the traffic is the bound, beyond it the computation. */
  function roof(one, range) {
    if (one.peak === null) {
      return [];
    }
    return [{ x: range.left, y: one.bandwidth * range.left }, { x: one.peak / one.bandwidth, y: one.peak }, { x: range.right, y: one.peak }];
  }

  function share(line) {
    return typeof line.ratio === 'number' ? ', ' + opprof.format.number(100 * line.ratio, 3) + ' % of the roof' : '';
  }

  function tell(line) {
    const number = (value) => opprof.format.number(value, 4);
    return [line.bw_name + share(line), number(line.y) + ' TOPS at ' + number(line.x) + ' operations a byte',
      'Roof: ' + number(line.bw) + ' TB/s, ' + number(line.computility) + ' TOPS ' + line.computility_name];
  }

  function datasets(series, range) {
    return series.reduce((list, one, number) => list.concat(
      { label: one.name, data: roof(one, range), showLine: true, pointRadius: 0, pointHitRadius: 0, borderWidth: 1.5, number },
      {
        label: one.name, data: one.points, pointRadius: one.points.map((point) => point.radius),
        pointHoverRadius: one.points.map((point) => point.radius + 2), isPoint: true, number,
      }), []);
  }

  function paintColours(sets) {
    for (const set of sets) {
      set.borderColor = colour(set.number);
      set.backgroundColor = set.data.length > 1 ? colour(set.number).replace('hsl', 'hsla').replace(')', ', 0.6)') : colour(set.number);
    }
  }

  function scale(title, low, high) {
    return {
      type: 'logarithmic', min: low, max: high, title: { display: true, text: title }, grid: {},
      ticks: { maxRotation: 0, callback: (value) => (Number.isInteger(Math.round(1e6 * Math.log10(value)) / 1e6) ? opprof.format.number(value) : '') },
    };
  }

  function settings(graph) {
    const range = limits(graph.series);
    const sets = datasets(graph.series, range);
    paintColours(sets);
    return {
      type: 'scatter', data: { datasets: sets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, clip: true,
        interaction: { mode: 'nearest', intersect: true },
        scales: { x: scale('Operations a byte', range.left, range.right), y: scale(graph.unit, range.bottom, range.top) },
        plugins: {
          legend: { position: 'bottom', labels: { boxWidth: 12, filter: (item, data) => data.datasets[item.datasetIndex].isPoint === true } },
          tooltip: { filter: (item) => item.dataset.isPoint === true, callbacks: { label: (item) => item.raw.tell } },
        },
      },
    };
  }

  function makeTable(graph) {
    const columns = [['bw_name', 'Path', '', 'What is moved.'], ['x', 'Operations a byte', '', 'Intensity: operations for each byte moved.'],
      ['y', 'Reached (TOPS)', 'TOPS', 'Operations a second.'], ['bw', 'Bandwidth (TB/s)', 'TB/s', 'What the path can move.'],
      ['computility', 'Peak (TOPS)', 'TOPS', 'What the chip can calculate.'], ['computility_name', 'Work', '', 'What is calculated.'],
      ['ratio', 'Share of the roof', '', 'What was reached, as a share of the bound at this intensity.']];
    return {
      title: graph.title, total: graph.lines.length,
      fields: columns.map(([name, heading, unit, meaning]) => ({
        name, heading, unit, meaning, flags: 0, isNumber: !name.endsWith('name'), isKey: name === 'bw_name',
        absent: name === 'ratio' ? 'the bound is unknown, or it was reached' : 'a bound is unknown',
      })),
      rows: graph.lines.map((line) => columns.map(([name]) => (line[name] === undefined ? null : line[name]))),
    };
  }

  function draw(canvas, graph) {
    const chart = opprof.charts.create(canvas, settings(graph));
    opprof.theme.onChange(() => {
      paintColours(chart.data.datasets);
      chart.update('none');
    });
  }

  function makeGraph(graph) {
    const card = make('section', { class: 'card' }, make('h2', null, graph.title));
    if (opprof.charts.isThere()) {
      const canvas = make('canvas', { role: 'img', 'aria-label': 'Roofline ' + graph.title + '. The table below has its numbers.' });
      card.append(make('div', { class: 'chart' }, canvas));
      waiting.push(() => draw(canvas, graph));
    }
    card.append(...graph.notes.map((note) => make('p', null, note)));
    card.append(make('details', { open: !opprof.charts.isThere() }, make('summary', null, 'Numbers'), opprof.table.create(graph.table)));
    return card;
  }

  function create(report) {
    const graphs = linesOf(report).concat(opprof.efficiency.graphs(report));
    return graphs.length === 0 ? null : make('div', null, [TYPE, opprof.efficiency.type].map((type) => opprof.data.tablesOf(report, type).map(opprof.table.tellMissing)),
      make('div', { class: 'pairs' }, graphs.map(makeGraph)));
  }

  function shown() {
    waiting.splice(0).forEach((drawOne) => drawOne());
  }

  return { id: 'roofline', title: 'Roofline', create, shown };
}());
