/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns tables whose rows are single cells (group, table, row, column, value) into tables with rows
 * and columns, whatever analysis they come from.
 */
opprof.cells = (function () {
  const PLACE = ['group', 'table', 'row', 'column'];
  const VALUES = ['integer', 'real', 'text'];
  const PARTS = ['device', 'kernel', 'order'];

  function isCells(table) {
    return PLACE.concat(VALUES).every((name) => table.fields.some((field) => field.name === name));
  }

  /* Cells of a view with their places by name; `launch` distinguishes launches. */
  function list(table) {
    const at = {};
    table.fields.forEach((field, column) => { at[field.name] = column; });
    const get = (row, name) => (at[name] === undefined ? null : row[at[name]]);
    const placeOf = (row) => JSON.stringify(PARTS.concat('group', 'table').map((name) => get(row, name)));
    const partial = opprof.data.cut(table) === null || table.rows.length === 0 ? null : placeOf(table.last);
    /* What the last row belongs to may lack more of its cells. */
    return table.rows.filter((row) => partial === null || placeOf(row) !== partial).map((row) => ({
      launch: PARTS.map((part) => get(row, part)).filter((part) => part !== null).join('/'),
      group: get(row, 'group'),
      table: get(row, 'table'),
      row: get(row, 'row'),
      column: get(row, 'column'),
      unit: get(row, 'unit'),
      value: VALUES.map((name) => get(row, name)).reduce((a, b) => (a === null ? b : a)),
    }));
  }

  /* Cells of one name but other units form another column. */
  function columnOf(wide, cell) {
    let column = wide.fields.findIndex((field) => field.name === cell.column && (!field.unit || !cell.unit || field.unit === cell.unit));
    if (column < 0) {
      column = wide.fields.length;
      wide.fields.push({
        name: cell.column, heading: cell.column, kind: 'text', unit: cell.unit, flags: 0, isNumber: true, isKey: false,
        absent: 'the data does not say',
      });
    }
    const field = wide.fields[column];
    field.unit = field.unit || cell.unit;
    field.isNumber = field.isNumber && (cell.value === null || typeof cell.value === 'number');
    return column;
  }

  function keyField(name, meaning) {
    return { name, heading: name, kind: 'string', flags: 2, isNumber: false, isKey: true, meaning, absent: 'it is about everything' };
  }

  function newWide(view, title) {
    return {
      type: view.type,
      view,
      title: title === null ? view.title : view.title + ': ' + title,
      summary: view.summary,
      fields: [keyField('launch', 'Which launch.'), keyField('block', 'Block or core.'), keyField('row', 'What the row is about.')],
      rows: [],
      places: new Map(),
    };
  }

  function add(wide, cell) {
    const key = JSON.stringify([cell.launch, cell.group, cell.row]);
    if (!wide.places.has(key)) {
      wide.places.set(key, wide.rows.length);
      wide.rows.push([cell.launch === '' ? null : cell.launch, cell.group, cell.row]);
    }
    const row = wide.rows[wide.places.get(key)];
    const column = columnOf(wide, cell);
    const before = row[column];
    row[column] = before === undefined || before === null ? cell.value : before + '; ' + cell.value;
  }

  function finish(wide) {
    for (const row of wide.rows) {
      for (let column = 0; column < wide.fields.length; column++) {
        row[column] = row[column] === undefined ? null : row[column];
      }
    }
    const kept = wide.fields.map((field, column) => column)
      .filter((column) => wide.rows.some((row) => row[column] !== null && row[column] !== ''));
    wide.rows = wide.rows.map((row) => kept.map((column) => row[column]));
    wide.fields = kept.map((column) => wide.fields[column]);
    wide.total = wide.rows.length;
    delete wide.places;
    return wide;
  }

  /* The tables that a view of cells contains. */
  function widen(view) {
    const tables = new Map();
    for (const cell of list(view)) {
      if (!tables.has(cell.table)) {
        tables.set(cell.table, newWide(view, cell.table));
      }
      add(tables.get(cell.table), cell);
    }
    return Array.from(tables.values()).map(finish).filter((wide) => wide.fields.length > 0);
  }

  return { isCells, list, widen };
}());
