/* SPDX-License-Identifier: Apache-2.0 */
/* Hot lines beside their source: for any table with a column "code" that contains file and line. */
opprof.source = (function () {
  const make = opprof.elements.make;
  const PLACE = /^(.*):(\d+)$/;
  const LINES_MAX = 8000;
  const HOT = 10;

  /* The numbers of all rows of a line together. */
  function linesOf(report) {
    const files = new Map();
    for (const table of report.tables) {
      const code = opprof.data.column(table, 'code');
      const metrics = table.fields.map((field, column) => ({ field, column })).filter(({ field }) => field.isNumber && !field.isKey);
      for (const row of code < 0 || metrics.length === 0 ? [] : table.rows) {
        const match = PLACE.exec(row[code] || '');
        if (match === null) {
          continue;
        }
        const key = table.type + '\n' + match[1];
        if (!files.has(key)) {
          files.set(key, { path: match[1], table, metrics, lines: new Map() });
        }
        opprof.combine.put(files.get(key).lines, Number(match[2]), row);
      }
    }
    return Array.from(files.values(), combine);
  }

  function combine(file) {
    const values = (rows) => file.metrics.map(({ column }) => opprof.combine.value(file.table, column, rows));
    return Object.assign({}, file, { lines: new Map(Array.from(file.lines, ([line, rows]) => [line, values(rows)])) });
  }

  /* Of lines whose numbers do not add up there are no shares. */
  function shareOf(state, value, total) {
    return opprof.combine.addsUp(state.file.metrics[state.metric].field) ? opprof.format.share(value, total) : '';
  }

  /* Lines of the text; without it, only the hot ones. */
  function textOf(report, file) {
    const source = report.sources.find((one) => one.path === file.path);
    if (source === undefined) {
      return Array.from(file.lines.keys()).sort((a, b) => a - b).map((line) => [line, '']);
    }
    return source.text.split('\n').slice(0, LINES_MAX).map((text, place) => [place + 1, text]);
  }

  function makeLine(state, [line, text], most, total) {
    const sums = state.file.lines.get(line);
    const value = sums === undefined ? 0 : sums[state.metric];
    const meter = make('meter', { min: 0, max: most, value, 'aria-label': 'Line ' + line });
    return make('tr', { id: 'line-' + line, class: value > 0 ? 'hot' : null }, make('th', { scope: 'row', class: 'number' }, String(line)),
      make('td', { class: 'number' }, value > 0 ? opprof.format.number(value) : ''),
      make('td', { class: 'number' }, value > 0 ? shareOf(state, value, total) : ''),
      make('td', { class: 'meter' }, value > 0 ? meter : null), make('td', { class: 'mono code' }, text));
  }

  function jump(line) {
    const row = document.getElementById('line-' + line);
    row.scrollIntoView({ block: 'center' });
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }

  function show(report, state) {
    const values = Array.from(state.file.lines, ([line, sums]) => ({ line, value: sums[state.metric] })).sort((a, b) => b.value - a.value);
    const total = values.reduce((sum, one) => sum + one.value, 0) || 1;
    const most = values.length === 0 ? 1 : values[0].value || 1;
    const field = state.file.metrics[state.metric].field;
    opprof.elements.empty(state.stage);
    state.stage.append(opprof.table.tellMissing(state.file.table) || '', make('p', { class: 'about' }, make('code', null, state.file.path)),
      make('p', { class: 'hottest' }, 'Hottest lines: ', values.slice(0, HOT).map((one) => make('button', { type: 'button', click: () => jump(one.line) },
        one.line + ' · ' + (shareOf(state, one.value, total) || opprof.format.number(one.value))))),
      report.sources.some((one) => one.path === state.file.path) ? '' : make('p', { class: 'about' }, 'The text of this file was not found; its hot lines are listed.'),
      make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Source of ' + state.file.path },
        make('table', { class: 'source' }, make('caption', { class: 'unseen' }, state.file.path),
          make('thead', null, make('tr', null, ['Line', opprof.table.heading(field), 'Share', '', 'Source'].map((text, i) =>
            make('th', { scope: 'col', class: i < 3 ? 'number plain' : 'plain' }, text)))),
          make('tbody', null, textOf(report, state.file).map((line) => makeLine(state, line, most, total))))));
  }

  function shortPath(path) {
    const parts = path.split('/');
    return parts.length <= 3 ? path : '…/' + parts.slice(-2).join('/');
  }

  function makeMetrics(report, state) {
    opprof.elements.empty(state.metrics);
    state.metrics.append(...state.file.metrics.map((metric, place) => make('option', { value: place }, opprof.table.heading(metric.field))));
    state.metric = Math.max(0, state.file.metrics.findIndex((metric) => metric.field.name === 'cycles'));
    state.metrics.value = String(state.metric);
  }

  function create(report) {
    const files = linesOf(report);
    if (files.length === 0) {
      return null;
    }
    const state = { file: files[0], metric: 0, stage: make('div') };
    state.metrics = make('select', {
      'aria-label': 'What is shown',
      change: () => {
        state.metric = Number(state.metrics.value);
        show(report, state);
      },
    });
    const select = make('select', {
      'aria-label': 'File',
      change: () => {
        state.file = files[Number(select.value)];
        makeMetrics(report, state);
        show(report, state);
      },
    }, files.map((file, place) => make('option', { value: place }, shortPath(file.path) + ' · ' + file.table.title)));
    makeMetrics(report, state);
    show(report, state);
    return make('section', { class: 'card' }, make('h2', null, 'Hot lines'), make('p', { class: 'about' }, 'Sums over all cores.'),
      make('div', { class: 'tools' }, select, state.metrics), state.stage);
  }

  return { id: 'source', title: 'Source', create };
}());
