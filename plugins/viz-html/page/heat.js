/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heat maps: of tables whose rows are blocks and their cores, a row per kind of core and a column
 * per block; of iterations, a row per rank; of tables of numbered things, such as sets of a cache,
 * in lines of 128.
 */
opprof.heat = (function () {
  const make = opprof.elements.make;
  const PAIRS = [['block_id', 'sub_block_id'], ['block', 'row'], ['place', 'rank']];
  const NUMBERED = ['set'];
  const LINE = 128;
  const CELL = 22;
  const SMALL = 9;
  const MANY = 48; /* lines or columns; beyond them cells are small */
  const HEAD = 20; /* used as names of columns */
  const LARGEST = 32000; /* pixels; beyond them a canvas stays empty */
  const FIRST = ['view.occupancy', 'dbi.cache-set']; /* shown first if present */

  function metricsOf(table, keys) {
    return table.fields.map((field, column) => ({ field, column }))
      .filter(({ field, column }) => field.isNumber && !field.isKey && !keys.includes(column) && table.rows.some((row) => typeof row[column] === 'number'));
  }

  function sorted(values) {
    return Array.from(new Set(values)).sort(opprof.filter.compare);
  }

  /* Rank and number of the recording: several recordings of a rank are not several ranks. */
  function recordingOf(rank) {
    const parts = /^(.*)-cycle(\d+)$/.exec(String(rank));
    return parts === null ? { line: rank, cycle: 1 } : { line: parts[1], cycle: Number(parts[2]) };
  }

  /* Column and line of each row. The iterations of a later recording of a rank follow those of the earlier ones of all ranks. */
  function placed(table, across, down) {
    if (table.fields[down].name !== 'rank') {
      return table.rows.map((row) => ({ column: row[across], line: row[down] }));
    }
    const counts = new Map();
    for (const row of table.rows) {
      const cycle = recordingOf(row[down]).cycle;
      counts.set(cycle, Math.max(counts.get(cycle) || 0, row[across] + 1));
    }
    const before = (cycle) => Array.from(counts).reduce((sum, [number, count]) => sum + (number < cycle ? count : 0), 0);
    return table.rows.map((row) => {
      const { line, cycle } = recordingOf(row[down]);
      return { column: row[across] + before(cycle), line };
    });
  }

  /* Cells of a table with two keys. */
  function crossed(table, across, down) {
    const at = placed(table, across, down);
    const columns = sorted(at.map((place) => place.column));
    const lines = sorted(at.map((place) => place.line));
    return {
      table, columns, lines, size: Math.max(columns.length, lines.length) > MANY ? SMALL : CELL, metrics: metricsOf(table, [across, down]),
      cells: table.rows.map((row, i) => ({ x: columns.indexOf(at[i].column), y: lines.indexOf(at[i].line), row, label: row[across] + ' ' + row[down] })),
    };
  }

  function numbered(table, column) {
    return {
      table, columns: Array.from({ length: LINE }, (none, place) => place), lines: null, size: SMALL, metrics: metricsOf(table, [column]),
      cells: table.rows.map((row, place) => ({ x: place % LINE, y: Math.floor(place / LINE), row, label: table.fields[column].heading + ' ' + row[column] })),
    };
  }

  /* Rows about everything have no place in a map. */
  function withKeys(table, keys) {
    return Object.assign({}, table, { rows: table.rows.filter((row) => keys.every((key) => row[key] !== null)) });
  }

  function mapOf(table) {
    const at = (name) => opprof.data.column(table, name);
    const launches = at('launch');
    if (table.rows.length < 4 || (launches >= 0 && new Set(table.rows.map((row) => row[launches])).size > 1)) {
      return null;
    }
    for (const [across, down] of PAIRS) {
      if (at(across) >= 0 && at(down) >= 0) {
        const cells = withKeys(table, [at(across), at(down)]);
        const places = new Set(cells.rows.map((row) => row[at(across)] + '\n' + row[at(down)]));
        return places.size === cells.rows.length && places.size > 1 ? crossed(cells, at(across), at(down)) : null;
      }
    }
    const name = NUMBERED.find((one) => at(one) >= 0);
    return name === undefined ? null : numbered(table, at(name));
  }

  function mapsOf(report) {
    const tables = report.tables.reduce((list, table) => list.concat(opprof.cells.isCells(table) ? opprof.cells.widen(table) : table), []);
    return tables.map(mapOf).filter((map) => map !== null && map.metrics.length > 0);
  }

  function rangeOf(map, column) {
    const values = map.cells.map((cell) => cell.row[column]).filter((value) => typeof value === 'number');
    return { low: Math.min(...values), high: Math.max(...values) };
  }

  /* From the card's background to the full colour. */
  function fill(value, range) {
    const share = range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.5;
    return 'rgba(' + opprof.theme.colour('heat') + ', ' + (0.08 + 0.92 * share).toFixed(3) + ')';
  }

  /* Numbers of columns above the cells, as many as fit. */
  function paintColumns(context, map) {
    const step = Math.ceil(28 / map.size);
    context.fillStyle = opprof.theme.colour('soft');
    context.font = '11px system-ui, "Noto Sans", sans-serif';
    map.columns.forEach((name, column) => {
      if (column % step === 0) {
        context.fillText(String(name), column * map.size, HEAD - 5);
      }
    });
  }

  function paint(state) {
    const { map, canvas, metric } = state;
    const lines = Math.max(...map.cells.map((cell) => cell.y)) + 1;
    const width = map.columns.length * map.size;
    const height = HEAD + lines * map.size;
    const scale = Math.min(window.devicePixelRatio || 1, LARGEST / Math.max(width, height));
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    paintColumns(context, map);
    state.range = rangeOf(map, metric.column);
    for (const cell of map.cells) {
      const value = cell.row[metric.column];
      context.fillStyle = typeof value === 'number' ? fill(value, state.range) : opprof.theme.colour('fill');
      context.fillRect(cell.x * map.size, HEAD + cell.y * map.size, map.size - 1, map.size - 1);
    }
    tellRange(state);
  }

  function tellRange(state) {
    const heading = opprof.table.heading(state.metric.field);
    const number = opprof.format.number;
    opprof.elements.empty(state.legend);
    state.legend.append(number(state.range.low), make('span', { class: 'scale', 'aria-hidden': 'true' }), number(state.range.high), ' ' + heading);
    state.canvas.setAttribute('aria-label', 'Heat map of ' + heading + ', ' + number(state.range.low) + ' to ' + number(state.range.high) +
      '. The table below has its numbers.');
  }

  function hover(state, event) {
    const x = Math.floor(event.offsetX / state.map.size);
    const y = Math.floor((event.offsetY - HEAD) / state.map.size);
    const cell = state.map.cells.find((one) => one.x === x && one.y === y);
    state.tip.textContent = cell === undefined ? '' : cell.label + ': ' + opprof.format.value(cell.row[state.metric.column], state.metric.field.unit);
  }

  function fillLines(state) {
    const map = state.map;
    opprof.elements.empty(state.lines);
    state.lines.hidden = map.lines === null;
    state.lines.append(...(map.lines || []).map((line) => make('span', { class: map.size === SMALL ? 'small' : null }, String(line))));
  }

  function chooseMetric(state, place) {
    state.metric = state.map.metrics[place];
    state.metrics.value = String(place);
    paint(state);
  }

  /* A sentence about rows that the page does not have. */
  function missing(table) {
    return table.total > table.rows.length
      ? ' The map has the first ' + opprof.format.number(table.rows.length) + ' of ' + opprof.format.number(table.total) + ' rows.' : '';
  }

  function chooseMap(state, place) {
    const map = state.maps[place];
    state.map = map;
    opprof.elements.empty(state.metrics);
    state.metrics.append(...map.metrics.map((metric, i) => make('option', { value: i }, opprof.table.heading(metric.field))));
    state.about.textContent = (map.table.summary || '') + missing(map.table);
    fillLines(state);
    opprof.elements.empty(state.table);
    state.table.append(make('summary', null, 'Numbers'), opprof.table.create(map.table));
    const differs = (metric) => rangeOf(map, metric.column).high > rangeOf(map, metric.column).low;
    const weight = map.metrics.findIndex((metric) => metric.field.isWeight);
    chooseMetric(state, Math.max(weight >= 0 ? weight : map.metrics.findIndex(differs), 0));
  }

  function newState(maps) {
    const state = {
      maps, canvas: make('canvas', { role: 'img' }), legend: make('span', { class: 'legend' }), tip: make('p', { class: 'found tip-line', role: 'status' }),
      about: make('p', { class: 'about' }), lines: make('div', { class: 'heat-lines', 'aria-hidden': 'true' }), table: make('details'),
    };
    state.tables = make('select', { 'aria-label': 'Table', change: () => chooseMap(state, Number(state.tables.value)) },
      maps.map((map, place) => make('option', { value: place }, map.table.title)));
    state.metrics = make('select', { 'aria-label': 'What is shown', change: () => chooseMetric(state, Number(state.metrics.value)) });
    return state;
  }

  function create(report) {
    const maps = mapsOf(report);
    if (maps.length === 0) {
      return null;
    }
    const state = newState(maps);
    const first = Math.max(maps.findIndex((map) => FIRST.includes(map.table.type)), 0);
    state.canvas.addEventListener('mousemove', (event) => hover(state, event));
    state.canvas.addEventListener('mouseleave', () => { state.tip.textContent = ''; });
    state.tables.value = String(first);
    chooseMap(state, first);
    opprof.theme.onChange(() => paint(state));
    return make('section', { class: 'card' }, make('h2', null, 'Heat map'), state.about, make('div', { class: 'tools' }, state.tables, state.metrics, state.legend),
      make('div', { class: 'heat-frame', tabindex: '0', role: 'region', 'aria-label': 'Heat map' }, state.lines, state.canvas), state.tip, state.table);
  }

  return { id: 'heat', title: 'Heat maps', create };
}());
