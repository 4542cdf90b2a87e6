/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot lines beside their source: for any table with a column "code" that contains file and line. Rows with an address are
 * instructions, which stand beside the line that is chosen.
 */
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
      if (opprof.data.column(table, 'pc') >= 0) {
        continue;
      }
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

  /* Instructions of a line, over all cores, by address. */
  function instructionsOf(report, code) {
    const found = new Map();
    for (const table of report.tables) {
      const [place, pc, name, calls, cycles, pipe, stalled] = ['code', 'pc', 'name', 'calls', 'cycles', 'pipe', 'stalled_us'].map((one) => opprof.data.column(table, one));
      for (const row of [place, pc, name, calls, cycles].some((column) => column < 0) ? [] : table.rows) {
        if (row[place] === code) {
          const key = row[pc] + ' ' + row[name];
          const one = found.get(key) || { pc: row[pc], name: row[name], pipe: pipe < 0 ? '' : row[pipe], tables: new Map() };
          const sum = one.tables.get(table) || { calls: 0, cycles: 0, stalled: null };
          const stall = stalled < 0 ? null : row[stalled];
          one.tables.set(table, { calls: sum.calls + row[calls], cycles: sum.cycles + (row[cycles] || 0),
            stalled: stall === null ? sum.stalled : (sum.stalled || 0) + stall });
          found.set(key, one);
        }
      }
    }
    /* Several tables may have the same instructions: the first counts. */
    return Array.from(found.values(), (one) => Object.assign(one, Array.from(one.tables.values())[0])).sort((a, b) => a.pc - b.pc);
  }

  function isWait(name) {
    return /wait|^bar/i.test(name);
  }

  function showInstructions(report, state, line) {
    const list = instructionsOf(report, state.file.path + ':' + line);
    const most = list.reduce((max, one) => Math.max(max, one.cycles), 0);
    opprof.elements.empty(state.instructions);
    if (list.length === 0) {
      return;
    }
    const hasStalls = list.some((one) => one.stalled !== null);
    const heads = ['Address', 'Instruction', 'Pipe', 'Executions', 'Cycles'].concat(hasStalls ? ['Stalled (us)', ''] : ['']);
    state.instructions.append(make('h3', null, 'Instructions of line ' + line), make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Instructions' },
      make('table', { 'aria-label': 'Instructions of line ' + line }, make('thead', null, make('tr', null, heads.map((text, i) => make(text === '' ? 'td' : 'th', { scope: text === '' ? null : 'col', class: i > 2 ? 'number plain' : 'plain' }, text)))),
        make('tbody', null, list.map((one) => make('tr', { class: isWait(one.name) ? 'waits' : null }, make('td', { class: 'mono' }, '0x' + Number(one.pc).toString(16)),
          make('th', { scope: 'row', class: 'mono' }, one.name), make('td', null, one.pipe || ''), make('td', { class: 'number' }, opprof.format.number(one.calls)),
          make('td', { class: 'number' }, opprof.format.number(one.cycles)),
          hasStalls ? make('td', { class: 'number' }, one.stalled === null ? '–' : opprof.format.number(one.stalled)) : null,
          make('td', { class: 'meter' }, make('meter', { min: 0, max: most || 1, value: one.cycles, 'aria-label': isWait(one.name) ? 'Waiting' : 'Work' }))))))));
  }

  function jump(report, state, line, takesFocus) {
    const row = document.getElementById('line-' + line);
    const scroll = row.closest('.scroll');
    for (const chosen of state.stage.querySelectorAll('tr.chosen')) {
      chosen.classList.remove('chosen');
    }
    row.classList.add('chosen');
    scroll.scrollTop = row.offsetTop - scroll.clientHeight / 2;
    showInstructions(report, state, line);
    if (takesFocus) {
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    }
  }

  function show(report, state) {
    const values = Array.from(state.file.lines, ([line, sums]) => ({ line, value: sums[state.metric] })).sort((a, b) => b.value - a.value);
    const total = values.reduce((sum, one) => sum + one.value, 0) || 1;
    const most = values.length === 0 ? 1 : values[0].value || 1;
    const field = state.file.metrics[state.metric].field;
    opprof.elements.empty(state.stage);
    state.stage.append(opprof.table.tellMissing(state.file.table) || '', make('p', { class: 'about' }, make('code', null, state.file.path)),
      make('p', { class: 'hottest' }, 'Hottest lines: ', values.slice(0, HOT).map((one) => make('button', { type: 'button', click: () => jump(report, state, one.line, true) },
        one.line + ' · ' + (shareOf(state, one.value, total) || opprof.format.number(one.value))))),
      report.sources.some((one) => one.path === state.file.path) ? '' : make('p', { class: 'about' }, 'The text of this file was not found; its hot lines are listed. --set source=DIR names the directory of the sources.'),
      make('div', { class: 'code-beside' }, make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Source of ' + state.file.path },
        make('table', { class: 'source' }, make('caption', { class: 'unseen' }, state.file.path),
          make('thead', null, make('tr', null, ['Line', opprof.table.heading(field), 'Share', '', 'Source'].map((text, i) =>
            make('th', { scope: 'col', class: i < 3 ? 'number plain' : 'plain' }, text)))),
          make('tbody', null, textOf(report, state.file).map((line) => makeLine(state, line, most, total))))), state.instructions));
    state.hottest = values.length === 0 ? null : values[0].line;
    if (state.isShown) {
      openHottest(report, state);
    }
  }

  /* Scrolling needs the section to be in sight. */
  function openHottest(report, state) {
    state.isShown = true;
    if (state.hottest !== null) {
      jump(report, state, state.hottest, false);
    }
  }

  let shown = null; /* opens the section at its hottest line, while there is one */

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
    const state = { file: files[0], metric: 0, stage: make('div'), instructions: make('div', { class: 'instructions' }), isShown: false };
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
    shown = () => openHottest(report, state);
    return make('section', { class: 'card' }, make('h2', null, 'Hot lines'), make('p', { class: 'about' }, 'Sums over all cores.'),
      make('div', { class: 'tools' }, select, state.metrics), state.stage);
  }

  return { id: 'source', title: 'Source', create, shown: () => (shown === null ? null : shown()) };
}());
