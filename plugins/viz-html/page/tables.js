/* SPDX-License-Identifier: Apache-2.0 */
/* The section of all tables: a list beside the one that is shown. */
opprof.tables = (function () {
  const make = opprof.elements.make;

  function widened(report) {
    const tables = [];
    for (const table of report.tables) {
      if (table.rows.length === 0) {
        continue;
      }
      tables.push(...(opprof.cells.isCells(table) ? opprof.cells.widen(table) : [table]));
    }
    return tables;
  }

  function show(state, place) {
    const table = state.tables[place];
    opprof.elements.empty(state.stage);
    state.stage.append(make('h2', { tabindex: '-1' }, table.title), make('p', { class: 'about' }, table.summary || ''),
      opprof.table.create(table));
    state.buttons.forEach((button, i) => {
      if (i === place) {
        button.setAttribute('aria-current', 'true');
      } else {
        button.removeAttribute('aria-current');
      }
    });
    state.select.value = String(place);
  }

  function label(table) {
    return table.title + ' · ' + opprof.format.number(table.total);
  }

  let current = null; /* the section's list, while there is one */

  /* Whether a table has that name in the database. */
  function isNamed(table, name) {
    return (table.type || '').replace(/[^A-Za-z0-9_]/g, '_').toLowerCase() === name.toLowerCase();
  }

  function has(report, name) {
    return report.tables.some((table) => table.rows.length > 0 && isNamed(table, name));
  }

  function reveal(name) {
    const place = current.tables.findIndex((table) => isNamed(table, name));
    if (place >= 0) {
      show(current, place);
    }
  }

  /* A list of tables beside the one that is chosen. */
  function choose(tables, name) {
    const state = { tables, stage: make('section', { class: 'card stage' }) };
    state.buttons = tables.map((table, place) => make('button', { type: 'button', click: () => show(state, place) },
      make('span', null, table.title), make('span', { class: 'count' }, opprof.format.number(table.total))));
    state.select = make('select', { 'aria-label': 'Table of ' + name, change: () => show(state, Number(state.select.value)) },
      tables.map((table, place) => make('option', { value: place }, label(table))));
    const element = make('div', { class: 'beside' }, make('div', { class: 'chooser', role: 'group', 'aria-label': 'Tables of ' + name },
      make('div', { class: 'wide' }, state.buttons), make('div', { class: 'narrow' }, state.select)), state.stage);
    show(state, 0);
    state.element = element;
    return state;
  }

  function create(report) {
    const tables = widened(report);
    current = tables.length === 0 ? null : choose(tables, 'results');
    return current === null ? null : current.element;
  }

  return { id: 'tables', title: 'Tables', create, choose: (tables, name) => choose(tables, name).element, has, reveal };
}());
