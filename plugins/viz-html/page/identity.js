/* SPDX-License-Identifier: Apache-2.0 */
/* What was profiled, and how the run went: above every section. */
opprof.identity = (function () {
  const NAMES = 3;
  const RUN_TIME = 2048;
  const ALONE = 1024;

  function valuesOf(table, name) {
    const column = opprof.data.column(table, name);
    return column < 0 ? [] : Array.from(new Set(table.rows.map((row) => row[column]).filter((cell) => cell !== null)));
  }

  /* "matmul on Ascend910B1, 4 blocks, simulated" as on the terminal; null: no operator is known. */
  function subject(report) {
    const table = opprof.data.tablesOf(report, 'run.subject')[0];
    if (table === undefined || table.rows.length === 0) {
      return null;
    }
    const names = valuesOf(table, 'name');
    const chips = valuesOf(table, 'chip');
    const one = (name) => (valuesOf(table, name).length === 1 ? valuesOf(table, name)[0] : null);
    const parts = [(names.slice(0, NAMES).join(', ') || 'An operator') + (names.length > NAMES ? ' and others' : '')
      + (chips.length > 1 ? ' on several chips' : chips.length === 1 ? ' on ' + chips[0] : '')];
    if (table.total > 1) {
      parts.push(opprof.format.count(table.total, 'launch', 'launches'));
    }
    if (one('blocks') !== null) {
      parts.push(opprof.format.count(one('blocks'), 'block'));
    } else if (one('cores') !== null) {
      parts.push(opprof.format.count(one('cores'), 'core'));
    }
    return parts.concat(valuesOf(table, 'way')).join(', ');
  }

  function isComplete(report) {
    return !report.run.stopped && !report.run.missing;
  }

  /* Without an operator: the last part of the input's path. */
  function name(report) {
    return subject(report) || report.run.title.replace(/\/+$/, '').split('/').pop() || report.run.title;
  }

  /* Whether it is whole, when the page was written (the file's own time), by which version, and what was run or read, which
   * may be long. */
  function details(report) {
    const written = new Date(document.lastModified);
    return [isComplete(report) ? 'complete' : 'incomplete',
      Number.isNaN(written.getTime()) ? null : 'written ' + written.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
      'opprof ' + report.run.version, name(report) === report.run.title ? null : report.run.title]
      .filter((text) => text).join(' · ');
  }

  /* The longest of what tables say about how long the run took, "8.57 us", "130 ms per step"; null: none does. */
  function time(report) {
    let [most, of] = [null, null];
    for (const table of report.tables) {
      table.fields.forEach((field, column) => {
        for (const row of (field.flags & RUN_TIME) !== 0 ? table.rows : []) {
          if (typeof row[column] === 'number' && (most === null || row[column] > most)) {
            [most, of] = [row[column], field];
          }
        }
      });
    }
    return most === null ? null : opprof.format.time(most * 1e6, 3) + ((of.flags & ALONE) === 0 ? '' : ' per ' + of.heading.replace(/[_( ].*/, ''));
  }

  return { subject: name, details, time };
}());
