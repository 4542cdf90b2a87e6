/* SPDX-License-Identifier: Apache-2.0 */
/* A table that can be sorted, filtered and shaded, with what its columns mean. */
opprof.table = (function () {
  const make = opprof.elements.make;
  const FIRST_ROWS = 100;
  const MORE_ROWS = 400;
  const NUMBERED = /(^|_)id$/; /* numbers that are not quantities */
  let counter = 0;

  function heading(field) {
    const unit = opprof.format.unitText(field.unit);
    return unit === '' || field.heading.includes(unit) ? field.heading : field.heading + ' (' + unit + ')';
  }

  function cellText(cell, field) {
    if (cell === null) {
      return '–';
    }
    return typeof cell === 'number' && field.isNumber ? opprof.format.number(cell) : String(cell);
  }

  function range(rows, column) {
    let low = Infinity;
    let high = -Infinity;
    for (const row of rows) {
      if (typeof row[column] === 'number') {
        low = Math.min(low, row[column]);
        high = Math.max(high, row[column]);
      }
    }
    return high > low ? { low, high } : null;
  }

  /* A heat map in the cells: the larger a number among those of its column, the stronger the colour. */
  function shade(td, cell, limits) {
    if (limits === null || typeof cell !== 'number') {
      return;
    }
    const level = Math.round(10 * (cell - limits.low) / (limits.high - limits.low));
    td.classList.add('heat-' + Math.max(0, Math.min(10, level)));
  }

  function makeCell(state, row, column) {
    const field = state.table.fields[column];
    const cell = row[column];
    const isName = column === state.nameColumn;
    const td = make(isName ? 'th' : 'td', {
      scope: isName ? 'row' : null,
      class: field.isNumber ? 'number' : String(cell).length > 40 ? 'long' : null,
    }, cellText(cell, field));
    if (row.looks && !isName) {
      td.classList.add(row.looks);
    }
    if (cell === null) {
      td.classList.add('absent');
      td.title = 'Not available' + (field.absent ? ': ' + field.absent : '');
    } else if (typeof cell === 'number' && td.textContent !== String(cell)) {
      td.title = String(cell);
    }
    if (state.isShaded && field.isNumber && !field.isKey && !NUMBERED.test(field.name)) {
      shade(td, cell, state.ranges[column]);
    }
    return td;
  }

  function showMore(state, amount) {
    const end = Math.min(state.rows.length, state.shown + amount);
    for (; state.shown < end; state.shown++) {
      const row = state.rows[state.shown];
      state.body.append(make('tr', null, state.columns.map((column) => makeCell(state, row, column))));
    }
    const left = state.rows.length - state.shown;
    state.more.hidden = left === 0;
    state.more.textContent = 'Show ' + opprof.format.count(Math.min(left, MORE_ROWS), 'more row') + ' of ' + opprof.format.number(left);
  }

  function tellCount(state) {
    const all = state.table.rows.length;
    const text = state.rows.length === all
      ? opprof.format.count(all, 'row')
      : opprof.format.number(state.rows.length) + ' of ' + opprof.format.count(all, 'row');
    state.count.textContent = text;
    return text;
  }

  function refresh(state) {
    const wanted = opprof.filter.rowTest(state.input.value, Number(state.where.value));
    state.rows = state.table.rows.filter(wanted);
    if (state.sorted >= 0) {
      state.rows.sort(opprof.filter.byColumn(state.sorted, state.isDescending));
    }
    opprof.elements.empty(state.body);
    state.shown = 0;
    showMore(state, FIRST_ROWS);
    state.heads.forEach((head, place) => {
      const column = state.columns[place];
      const order = column !== state.sorted ? null : state.isDescending ? 'descending' : 'ascending';
      if (order === null) {
        head.removeAttribute('aria-sort');
      } else {
        head.setAttribute('aria-sort', order);
      }
    });
    return tellCount(state);
  }

  function sortBy(state, column) {
    const field = state.table.fields[column];
    state.isDescending = state.sorted === column ? !state.isDescending : field.isNumber;
    state.sorted = column;
    refresh(state);
    opprof.elements.announce('Sorted by ' + heading(field) + ', ' + (state.isDescending ? 'largest first' : 'smallest first'));
  }

  function makeHead(state) {
    state.heads = state.columns.map((column) => {
      const field = state.table.fields[column];
      return make('th', { scope: 'col', class: field.isNumber ? 'number' : null },
        make('button', { type: 'button', class: 'sort', title: field.meaning || null, click: () => sortBy(state, column) }, heading(field)));
    });
    return make('thead', null, make('tr', null, state.heads));
  }

  function makeFilter(state) {
    const id = 'filter-' + (++counter);
    const apply = () => opprof.elements.announce(refresh(state));
    state.input = make('input', { type: 'search', id, placeholder: 'Filter, or > 5', autocomplete: 'off', spellcheck: 'false', input: apply });
    state.where = make('select', { 'aria-label': 'Column to filter', change: apply },
      make('option', { value: -1 }, 'All columns'),
      state.columns.map((column) => make('option', { value: column }, heading(state.table.fields[column]))));
    state.count = make('span', { class: 'count' });
    const hasNumbers = state.table.fields.some((field) => field.isNumber && !field.isKey);
    const box = !hasNumbers ? null : make('label', { class: 'check' }, make('input', {
      type: 'checkbox',
      change: (event) => { state.isShaded = event.target.checked; refresh(state); },
    }), 'Shade cells');
    return make('div', { class: 'tools' }, make('label', { class: 'unseen', for: id }, 'Filter rows'), state.input, state.where, box, state.count);
  }

  function sentence(text) {
    return text.endsWith('.') ? text : text + '.';
  }

  /* Columns with a value in any row: the others say nothing, row after row. Rows that the page lacks may have values. */
  function columnsOf(table) {
    const all = table.fields.map((field, column) => column);
    return table.rows.length === 0 || table.total > table.rows.length ? all : all.filter((column) => !opprof.data.isEmpty(table, column));
  }

  /* Columns that are left out, with their reason. */
  function tellEmpty(state) {
    const empty = state.table.fields.filter((field, column) => !state.columns.includes(column));
    return empty.length === 0 ? null : make('p', { class: 'about' }, 'No row has a value in ' +
      empty.map((field) => field.heading + (field.absent ? ' (' + field.absent + ')' : '')).join(', ') + '.');
  }

  /* What each column means, for those who cannot hover. */
  function makeColumns(state) {
    const entries = state.columns.map((column) => state.table.fields[column]).filter((field) => field.meaning && field.meaning !== field.name);
    if (entries.length === 0) {
      return null;
    }
    return make('details', { class: 'columns' }, make('summary', null, 'What the columns mean'),
      make('dl', null, entries.map((field) => [
        make('dt', null, field.heading),
        make('dd', null, sentence(field.meaning), field.unit && field.unit !== '1' ? ' Unit: ' + opprof.format.unitText(field.unit) + '.' : '',
          field.absent ? ' Absent (–): ' + field.absent + '.' : ''),
      ])));
  }

  function tellMissing(table) {
    const whole = opprof.data.cut(table);
    if (whole === null) {
      return null;
    }
    const rest = table.rest || (whole.file ? 'all of them are in the CSV file' : 'all of them are in the database of the run');
    return make('p', { class: 'notice' }, 'The page has the first ' + opprof.format.number(whole.rows.length) + ' of ' +
      opprof.format.count(whole.total, 'row') + (whole === table ? '' : ' of ' + whole.title) + '; ' + rest + '.');
  }

  /* The widget. A caption names the table for screen readers. */
  function create(table) {
    const state = { table, rows: table.rows, shown: 0, sorted: -1, isDescending: false, isShaded: false };
    state.ranges = table.fields.map((field, column) => (field.isNumber ? range(table.rows, column) : null));
    state.columns = columnsOf(table);
    state.nameColumn = state.columns.find((column) => table.fields[column].isKey || !table.fields[column].isNumber);
    state.body = make('tbody');
    state.more = make('button', { type: 'button', class: 'more', click: () => showMore(state, MORE_ROWS) });
    const tools = makeFilter(state);
    const head = makeHead(state);
    const element = make('div', { class: 'table' }, tellMissing(table), tools,
      make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': table.title },
        make('table', null, make('caption', { class: 'unseen' }, table.title), head, state.body)),
      state.more, tellEmpty(state), makeColumns(state));
    refresh(state);
    return element;
  }

  return { create, heading, cellText, tellMissing };
}());
