/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot lines beside their source: for any table with a column "code" that contains file and line. Rows with an address are
 * instructions, which stand beside the line that is chosen, with all numbers that their table has.
 */
opprof.source = (function () {
  const make = opprof.elements.make;
  const PLACE = /^(.*):(\d+)$/;
  const LINES_MAX = 8000;
  const HOT = 10;
  /* Columns that name an instruction, with their headings. */
  const TEXTS = [['name', 'Instruction'], ['pipe', 'Pipe'], ['function', 'Function']];

  function numbersOf(table) {
    return table.fields.map((field, column) => ({ field, column })).filter(({ field }) => field.isNumber && !field.isKey);
  }

  /* The column with the address of an instruction; below 0: rows are no instructions. */
  function addressOf(table) {
    return Math.max(opprof.data.column(table, 'pc'), opprof.data.column(table, 'address'));
  }

  /* The numbers of all rows of a line together. */
  function linesOf(report) {
    const files = new Map();
    for (const table of report.tables) {
      const code = opprof.data.column(table, 'code');
      if (addressOf(table) >= 0) {
        continue;
      }
      const metrics = numbersOf(table);
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

  /* A table's instructions of a line, over all cores, by address: texts, and the numbers that any of them has. */
  function instructionsIn(table, code) {
    const [place, address] = [opprof.data.column(table, 'code'), addressOf(table)];
    const texts = TEXTS.map(([name]) => opprof.data.column(table, name));
    const found = new Map();
    for (const row of place < 0 || address < 0 ? [] : table.rows.filter((one) => one[place] === code)) {
      opprof.combine.put(found, row[address] + ' ' + texts.map((column) => row[column]).join(' '), row);
    }
    const numbers = numbersOf(table).filter(({ column }) => Array.from(found.values()).some((rows) => rows.some((row) => row[column] !== null)));
    const list = Array.from(found.values(), (rows) => ({ address: rows[0][address], texts: texts.map((column) => (column < 0 ? null : rows[0][column])),
      values: numbers.map(({ column }) => (rows.every((row) => row[column] === null) ? null : opprof.combine.value(table, column, rows))) }));
    return { numbers, list: list.sort((a, b) => a.address - b.address) };
  }

  /* Several tables may have the same instructions: the one with most of them counts. */
  function instructionsOf(report, code) {
    return report.tables.map((table) => instructionsIn(table, code)).reduce((most, one) => (one.list.length > most.list.length ? one : most),
      { numbers: [], list: [] });
  }

  function isWait(name) {
    return /wait|^bar/i.test(name);
  }

  function showInstructions(report, state, line) {
    const { numbers, list } = instructionsOf(report, state.file.path + ':' + line);
    const drawn = Math.max(0, numbers.findIndex(({ field }) => field.name === state.file.metrics[state.metric].field.name));
    const most = list.reduce((max, one) => Math.max(max, one.values[drawn] || 0), 0);
    opprof.elements.empty(state.instructions);
    if (list.length === 0) {
      return;
    }
    const kept = TEXTS.map((text, i) => i).filter((i) => list.some((one) => one.texts[i] !== null));
    const heads = ['Address'].concat(kept.map((i) => TEXTS[i][1]), '', numbers.map(({ field }) => opprof.table.heading(field)));
    const makeRow = (one) => make('tr', { class: isWait(one.texts[0] || '') ? 'waits' : null },
      make('th', { scope: 'row', class: 'mono' }, '0x' + Number(one.address).toString(16)), kept.map((i) => make('td', { class: i === 0 ? 'mono' : null }, one.texts[i] || '')),
      make('td', { class: 'meter' }, make('meter', { min: 0, max: most || 1, value: one.values[drawn] || 0, 'aria-label': isWait(one.texts[0] || '') ? 'Waiting' : 'Work' })),
      one.values.map((value) => make('td', { class: 'number' }, value === null ? '–' : opprof.format.number(value))));
    state.instructions.append(make('h3', null, 'Instructions of line ' + line), make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Instructions' },
      make('table', { 'aria-label': 'Instructions of line ' + line }, make('thead', null, make('tr', null, heads.map((text, i) => make(text === '' ? 'td' : 'th',
        { scope: text === '' ? null : 'col', class: i > kept.length + 1 ? 'number plain' : 'plain' }, text)))), make('tbody', null, list.map(makeRow)))));
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
    return make('section', { class: 'card' }, make('h2', null, 'Hot lines'), make('p', { class: 'about' }, 'All cores together: the sum of counts, the time of the core that takes longest.'),
      make('div', { class: 'tools' }, select, state.metrics), state.stage);
  }

  return { id: 'source', title: 'Source', create, shown: () => (shown === null ? null : shown()) };
}());
