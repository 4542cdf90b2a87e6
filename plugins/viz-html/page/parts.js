/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time went, in parts that sum to the whole: of each rank's devices, or of each pipe of the longest core. */
opprof.parts = (function () {
  const make = opprof.elements.make;
  const MOST = 16;

  function cell(table, row, name) {
    return row[opprof.data.column(table, name)];
  }

  function part(name, looks, value) {
    return { name, looks, value: Math.max(value || 0, 0) };
  }

  /* A rank computes, does something else, or nothing. */
  function ofTrace(report) {
    const table = opprof.data.tablesOf(report, 'trace.temporal-breakdown')[0];
    const rows = table === undefined ? [] : table.rows.filter((row) => cell(table, row, 'rank') !== 'all' && cell(table, row, 'kernel_us') > 0);
    return rows.length === 0 ? null : {
      about: 'Share of the time from the first to the last work of a rank.',
      bars: rows.map((row) => ({
        name: 'rank ' + cell(table, row, 'rank'), whole: cell(table, row, 'kernel_us'),
        parts: [part('computation', 'work', cell(table, row, 'compute_us')), part('only communication and copies', 'other', cell(table, row, 'non_compute_us')),
          part('idle', 'rest', cell(table, row, 'idle_us'))],
      })),
    };
  }

  /* The rows of the core that takes longest, the busiest pipe first. */
  function longest(table, time, busy) {
    const most = table.rows.reduce((max, row) => Math.max(max, cell(table, row, time) || 0), 0);
    const first = table.rows.find((row) => cell(table, row, time) === most);
    const keys = ['core', 'device', 'kernel', 'order', 'kind', 'block'].map((name) => opprof.data.column(table, name)).filter((column) => column >= 0);
    return most === 0 ? [] : table.rows.filter((row) => keys.every((key) => row[key] === first[key]) && cell(table, row, busy) !== null)
      .sort((a, b) => cell(table, b, busy) - cell(table, a, busy));
  }

  /* A pipe works, waits for flags, or has nothing to do. */
  function ofCore(report) {
    const table = opprof.data.tablesOf(report, 'sim.pipes')[0];
    const rows = table === undefined ? [] : longest(table, 'duration_us', 'worked_us');
    return rows.length === 0 ? null : {
      about: 'Share of the time of ' + (cell(table, rows[0], 'core') || 'the core') + ', which takes longest.',
      bars: rows.map((row) => ({
        name: cell(table, row, 'pipe'), whole: cell(table, row, 'duration_us'),
        parts: [part('works', 'work', cell(table, row, 'worked_us')), part('waits for flags', 'wait', cell(table, row, 'waited_us')),
          part('nothing issued', 'rest', cell(table, row, 'idle_us'))],
      })),
    };
  }

  /* The same as the device counts it. */
  function ofLaunch(report) {
    const table = opprof.data.tablesOf(report, 'pmu.pipes')[0];
    const rows = table === undefined ? [] : longest(table, 'core_us', 'busy_percent');
    return rows.length === 0 ? null : {
      about: 'Share of the time of the core that takes longest.',
      bars: rows.map((row) => {
        const whole = cell(table, row, 'core_us');
        const busy = whole * cell(table, row, 'busy_percent') / 100;
        const waits = Math.min(whole * (cell(table, row, 'wait_percent') || 0) / 100, whole - busy);
        return { name: cell(table, row, 'pipe'), whole,
          parts: [part('busy', 'work', busy), part('waits', 'wait', waits), part('neither', 'rest', whole - busy - waits)] };
      }),
    };
  }

  function makeBar(bar) {
    const shares = bar.parts.map((one) => opprof.format.share(one.value, bar.whole));
    const said = bar.parts.map((one, i) => one.name + ' ' + shares[i]).join(', ');
    const svg = opprof.elements.makeSvg('svg', { class: 'stack', viewBox: '0 0 100 1', preserveAspectRatio: 'none', role: 'img', 'aria-label': said });
    let left = 0;
    for (const one of bar.parts) {
      const width = Math.min(100 * one.value / bar.whole, 100 - left);
      svg.append(opprof.elements.makeSvg('rect', { class: 'part-' + one.looks, x: left, y: 0, width, height: 1 }));
      left += width;
    }
    return make('tr', null, make('th', { scope: 'row' }, bar.name), make('td', null, svg), bar.parts.map((one, i) => make('td', { class: 'number' }, shares[i])),
      make('td', { class: 'number' }, opprof.format.time(bar.whole * 1e6, 3)));
  }

  function makeHead(bar) {
    const key = (one) => make('th', { scope: 'col', class: 'number plain' }, make('span', { class: 'key part-' + one.looks }), one.name);
    return make('thead', null, make('tr', null, make('td'), make('td'), bar.parts.map(key), make('th', { scope: 'col', class: 'number plain' }, 'whole')));
  }

  function create(report) {
    const found = ofTrace(report) || ofCore(report) || ofLaunch(report);
    if (found === null) {
      return null;
    }
    const left = found.bars.length - MOST;
    return make('section', { class: 'card' }, make('h2', null, 'Where the time went'), make('p', { class: 'about' }, found.about),
      make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Where the time went' },
        make('table', { class: 'parts', 'aria-label': 'Parts of the time' }, makeHead(found.bars[0]), make('tbody', null, found.bars.slice(0, MOST).map(makeBar)))),
      left > 0 ? make('p', { class: 'about' }, 'and ' + opprof.format.number(left) + ' more') : null);
  }

  return { create };
}());
