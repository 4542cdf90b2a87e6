/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heat maps: of tables whose rows are blocks and their cores, a row per kind of core and a column
 * per block; of iterations, a row per rank, or per group of ranks if there are many; of tables of
 * numbered things, such as sets of a cache, in lines of 128.
 */
opprof.heat = (function () {
  const make = opprof.elements.make;
  const PAIRS = [['block_id', 'sub_block_id'], ['block', 'row'], ['place', 'rank']];
  const NUMBERED = ['set'];
  const LINE = 128;
  const CELL = 22;
  const SMALL = 9;
  const MANY = 48; /* lines; beyond them cells are low */
  const NARROW = 4;
  const WIDE = 1100; /* pixels for all columns, if the window has them */
  const BESIDE = 160; /* pixels for names of lines and margins */
  const HEAD = 20; /* used as names of columns */
  const LARGEST = 32000; /* pixels; beyond them a canvas stays empty */
  const FIRST = ['view.occupancy', 'dbi.cache-set', 'trace.steps']; /* shown first if present */

  function metricsOf(table, keys) {
    return table.fields.map((field, column) => ({ field, column }))
      .filter(({ field, column }) => field.isNumber && !field.isKey && !field.isMoment && !keys.includes(column) && table.rows.some((row) => typeof row[column] === 'number'));
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

  /* Width and height of a cell. */
  function sizeOf(columns, lines) {
    const room = Math.min(WIDE, document.documentElement.clientWidth - BESIDE);
    return { width: Math.max(NARROW, Math.min(CELL, Math.floor(room / columns))), size: lines > MANY ? SMALL : CELL };
  }

  /* What is counted along an axis. */
  function axisOf(field) {
    return field.name === 'place' ? 'iteration' : field.heading;
  }

  /* Cells of a table with two keys. */
  function crossed(table, across, down) {
    const at = placed(table, across, down);
    const columns = sorted(at.map((place) => place.column));
    const lines = sorted(at.map((place) => place.line));
    const named = (row, column) => (table.fields[column].isNumber || table.fields[column].name === 'rank' ? table.fields[column].heading + ' ' : '') + row[column];
    return Object.assign(sizeOf(columns.length, lines.length), {
      table, columns, lines, axes: { down: axisOf(table.fields[down]), across: axisOf(table.fields[across]) }, metrics: metricsOf(table, [across, down]),
      cells: table.rows.map((row, i) => ({
        x: columns.indexOf(at[i].column), y: lines.indexOf(at[i].line), row, label: named(row, down) + ', ' + named(row, across),
      })),
    });
  }

  function numbered(table, column) {
    return {
      table, columns: Array.from({ length: LINE }, (none, place) => place), lines: null, width: SMALL, size: SMALL, metrics: metricsOf(table, [column]),
      cells: table.rows.map((row, place) => ({ x: place % LINE, y: Math.floor(place / LINE), row, label: table.fields[column].heading + ' ' + row[column] })),
    };
  }

  function span(first, last) {
    return String(first) === String(last) ? String(first) : first + '–' + last;
  }

  /* "rank 16" or "ranks 16–31". */
  function counted(one, range) {
    return one + (range.includes('–') ? 's ' : ' ') + range;
  }

  /*
   * Cells of a table whose rows are too many for a map: each has the largest values of neighbouring
   * ranks and places. `row` has them in the columns of the table, `at` the rank and place of each.
   */
  function cellOfGrid(table, numbers, columns) {
    const cell = { row: table.fields.map(() => null), at: [] };
    columns.forEach((column, i) => {
      if (column >= 0) {
        cell.row[column] = numbers[3 * i];
        cell.at[column] = { rank: numbers[3 * i + 1], place: numbers[3 * i + 2] };
      }
    });
    return cell;
  }

  function gridded(table) {
    const grid = table.grid;
    const order = grid.columns.map((column, place) => place)
      .sort((a, b) => grid.columns[a][0] - grid.columns[b][0] || grid.columns[a][1] - grid.columns[b][1]);
    const fields = grid.metrics.map((name) => opprof.data.column(table, name));
    const lines = grid.lines.map(([first, last]) => span(recordingOf(first).line, recordingOf(last).line));
    const ends = grid.columns.map(([cycle, first]) => Math.min(first + grid.places_together, grid.places) - 1);
    const cells = [];
    grid.lines.forEach((line, y) => order.forEach((from, x) => {
      const numbers = grid.cells[y * grid.columns.length + from];
      if (numbers.length > 0) {
        const label = counted('rank', lines[y]) + ', ' + counted('iteration', span(grid.columns[from][1], ends[from]));
        cells.push(Object.assign({ x, y, label }, cellOfGrid(table, numbers, fields)));
      }
    }));
    const values = Object.assign({}, table, { rows: cells.map((cell) => cell.row) });
    return Object.assign(sizeOf(order.length, lines.length), {
      table, columns: order.map((from) => grid.columns[from][1]), lines, axes: { down: 'rank', across: 'iteration' }, cells, metrics: metricsOf(values, []),
    });
  }

  /* Rows about everything have no place in a map. */
  function withKeys(table, keys) {
    const rows = table.rows.filter((row) => keys.every((key) => row[key] !== null));
    return Object.assign({}, table, { rows, total: table.total - (table.rows.length - rows.length) });
  }

  function mapOf(table) {
    if (table.grid !== undefined) {
      return gridded(table);
    }
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
    const step = Math.ceil(28 / map.width);
    context.fillStyle = opprof.theme.colour('soft');
    context.font = '11px system-ui, "Noto Sans", sans-serif';
    map.columns.forEach((name, column) => {
      if (column % step === 0) {
        context.fillText(String(name), column * map.width, HEAD - 5);
      }
    });
  }

  function paint(state) {
    const { map, canvas, metric } = state;
    const lines = Math.max(...map.cells.map((cell) => cell.y)) + 1;
    const width = map.columns.length * map.width;
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
      context.fillRect(cell.x * map.width, HEAD + cell.y * map.size, map.width - 1, map.size - 1);
    }
    tellRange(state);
  }

  function tellRange(state) {
    const heading = opprof.table.heading(state.metric.field);
    const number = opprof.format.number;
    opprof.elements.empty(state.legend);
    if (state.range.high > state.range.low) {
      state.legend.append(number(state.range.low), make('span', { class: 'scale', 'aria-hidden': 'true' }), number(state.range.high), ' ' + heading);
    } else {
      state.legend.append('the same everywhere: ' + number(state.range.low));
    }
    state.canvas.setAttribute('aria-label', 'Heat map of ' + heading + ', ' + number(state.range.low) + ' to ' + number(state.range.high) +
      '. The table below has its numbers.');
  }

  function tell(cell, metric) {
    const value = cell.label + ': ' + opprof.format.value(cell.row[metric.column], metric.field.unit);
    const at = cell.at && cell.at[metric.column];
    return at && typeof cell.row[metric.column] === 'number' ? value + ' at most (rank ' + at.rank + ', iteration ' + at.place + ')' : value;
  }

  function hover(state, event) {
    const x = Math.floor(event.offsetX / state.map.width);
    const y = Math.floor((event.offsetY - HEAD) / state.map.size);
    const cell = state.map.cells.find((one) => one.x === x && one.y === y);
    state.tip.textContent = cell === undefined ? '' : tell(cell, state.metric);
  }

  function fillLines(state) {
    const map = state.map;
    opprof.elements.empty(state.lines);
    state.lines.hidden = map.lines === null;
    const isSmall = map.size === SMALL; /* a name takes the room of two lines */
    state.lines.append(...(map.lines || []).filter((line, place) => !isSmall || place % 2 === 0)
      .map((line) => make('span', { class: isSmall ? 'small' : null }, String(line))));
  }

  function chooseMetric(state, place) {
    state.metric = state.map.metrics[place];
    state.metrics.value = String(place);
    paint(state);
  }

  /* A sentence about what a cell stands for. */
  function together(grid) {
    const ranks = opprof.format.count(grid.ranks_together, 'rank');
    const places = opprof.format.count(grid.places_together, 'iteration');
    const all = opprof.format.count(grid.ranks, 'rank') + ' and ' + opprof.format.count(grid.places, 'iteration');
    return grid.ranks_together * grid.places_together === 1 ? ' The map has all ' + all + '.'
      : ' The map has all ' + all + ': each cell is ' + ranks + ' × ' + places + ' and shows the largest value among them, so that one slow rank stays visible; ' +
        'point at a cell to see which it is.';
  }

  /* A sentence about rows that the page does not have. */
  function missing(table) {
    if (table.grid !== undefined) {
      return together(table.grid);
    }
    const whole = opprof.data.cut(table);
    return whole === null ? ''
      : ' The map is of the first ' + opprof.format.number(whole.rows.length) + ' of ' + opprof.format.number(whole.total) + ' rows.';
  }

  /* What lines and columns are. */
  function axesOf(map) {
    return map.axes === undefined ? '' : ' Down: ' + map.axes.down + '; across: ' + map.axes.across + '.';
  }

  function chooseMap(state, place) {
    const map = state.maps[place];
    state.map = map;
    opprof.elements.empty(state.metrics);
    state.metrics.append(...map.metrics.map((metric, i) => make('option', { value: i }, opprof.table.heading(metric.field))));
    state.about.textContent = (map.table.summary || '') + axesOf(map) + missing(map.table);
    fillLines(state);
    opprof.elements.empty(state.table);
    state.table.append(make('summary', null, 'Numbers'), opprof.table.create(map.table));
    const differs = (metric) => rangeOf(map, metric.column).high > rangeOf(map, metric.column).low;
    const weight = map.metrics.findIndex((metric) => metric.field.isWeight && differs(metric));
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
