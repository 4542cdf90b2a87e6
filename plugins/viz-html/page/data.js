/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the data that the page carries. */
opprof.data = (function () {
  const HIDDEN = 1;
  const KEY = 2;
  const WEIGHT = 8;
  const MOMENT = 256;
  const NUMBERS = ['u32', 'i32', 'u64', 'i64', 'f64', 'tick', 'i16'];

  function parse(name, otherwise) {
    const element = document.getElementById('data-' + name);
    return element === null ? otherwise : JSON.parse(element.textContent);
  }

  function isNumber(field) {
    return NUMBERS.includes(field.kind);
  }

  /* Replaces cells that are numbers of names by the names. */
  function resolveNames(table, names) {
    table.fields.forEach((field, column) => {
      if (field.kind !== 'string') {
        return;
      }
      for (const row of table.rows) {
        row[column] = row[column] === null ? null : names[row[column]];
      }
    });
  }

  /* In grids numbers of names stand for the ranks of lines, and for the second of each three numbers of a cell. */
  function resolveGrid(grid, names) {
    grid.lines = grid.lines.map((line) => line.map((number) => names[number]));
    for (const cell of grid.cells) {
      for (let i = 1; i < cell.length; i += 3) {
        cell[i] = names[cell[i]];
      }
    }
  }

  function isEmpty(table, column) {
    return table.rows.every((row) => row[column] === null);
  }

  /* Hidden columns say which core or launch a row belongs to; empty ones are dropped. */
  function dropEmpty(table) {
    const kept = table.fields
      .map((field, column) => column)
      .filter((column) => !(table.fields[column].flags & HIDDEN) || !isEmpty(table, column));
    if (kept.length === table.fields.length) {
      return;
    }
    table.rows = table.rows.map((row) => kept.map((column) => row[column]));
    table.fields = kept.map((column) => table.fields[column]);
  }

  /* If the weight is not a column of the file, it gives the order, heaviest rows first, and is shown for that. */
  function sortByWeight(table) {
    const weight = table.fields.findIndex((field) => (field.flags & HIDDEN) && (field.flags & WEIGHT));
    if (weight < 0) {
      return;
    }
    table.rows.sort((a, b) => b[weight] - a[weight]);
    table.fields[weight] = Object.assign({}, table.fields[weight], { flags: table.fields[weight].flags & ~HIDDEN });
  }

  /* Rows of one core or launch side by side, whichever finished first. */
  function sortByKey(table) {
    const keys = table.fields.map((field, column) => column)
      .filter((column) => table.fields[column].flags & HIDDEN);
    if (keys.length === 0) {
      return;
    }
    table.rows = table.rows
      .map((row, place) => ({ row, place }))
      .sort((a, b) => {
        for (const key of keys) {
          const order = opprof.filter.compare(a.row[key], b.row[key]);
          if (order !== 0) {
            return order;
          }
        }
        return a.place - b.place;
      })
      .map((entry) => entry.row);
  }

  function readTables(names) {
    const tables = parse('tables', []);
    for (const table of tables) {
      resolveNames(table, names);
      if (table.grid !== undefined) {
        resolveGrid(table.grid, names);
      }
      sortByWeight(table);
      dropEmpty(table);
      table.last = table.rows[table.rows.length - 1]; /* before which the page may have been cut */
      sortByKey(table);
      for (const field of table.fields) {
        field.isNumber = isNumber(field);
        field.isKey = (field.flags & (KEY | HIDDEN)) !== 0;
        field.isWeight = (field.flags & WEIGHT) !== 0;
        field.isMoment = (field.flags & MOMENT) !== 0;
      }
    }
    return tables.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  }

  function read() {
    const names = parse('names', []);
    return {
      run: parse('run', {}),
      names,
      tables: readTables(names),
      sources: parse('sources', []),
    };
  }

  /* The table itself, or the one whose cells it has, if the page lacks some of its rows; else null. */
  function cut(table) {
    const whole = table.view || table;
    return whole.total > whole.rows.length ? whole : null;
  }

  /* Place of a column, -1 if none has that name. */
  function column(table, name) {
    return table.fields.findIndex((field) => field.name === name);
  }

  function tablesOf(report, type) {
    return report.tables.filter((table) => table.type === type);
  }

  return { read, parse, cut, column, isEmpty, tablesOf };
}());
