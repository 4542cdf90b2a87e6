/* SPDX-License-Identifier: Apache-2.0 */
/* The last section: what the page is, and which parts of the run it lacks. */
opprof.about = (function () {
  const make = opprof.elements.make;

  function missing(report) {
    const run = report.run;
    const texts = (run.missing || '').split('\n').filter((reason) => reason !== '');
    const short = report.tables.filter((table) => table.total > table.rows.length);
    if (short.length > 0) {
      texts.push('Of ' + opprof.format.count(short.length, 'table') + ' only the first rows are here: ' +
        short.map((table) => table.title).join(', ') + '.');
    }
    if (run.tables_left_out > 0) {
      texts.push('There were more than 128 tables; the others are in CSV files only.');
    }
    if (run.names_left_out > 0) {
      texts.push('There were too many different names; some are shown as “(left out)”.');
    }
    if (run.sources_left_out > 0 || run.sources_cut > 0) {
      texts.push('Source files: ' + opprof.format.number(run.sources_left_out) + ' left out, ' + opprof.format.number(run.sources_cut) +
        ' cut after 256 KiB.');
    }
    return texts;
  }

  function create(report) {
    const texts = missing(report);
    return make('section', { class: 'card prose' }, make('h2', null, 'About this page'),
      make('p', null, 'Written by opprof ' + report.run.version + '. It is one file that loads nothing and sends nothing. It stays below 20 MB: ' +
        'a table has up to 1.5 MiB of rows, all together 4 MiB beyond the first 16 KiB of each; names and source files have 1 MiB each.'),
      make('h3', null, 'What is not here'),
      texts.length === 0
        ? make('p', null, 'Nothing was left out of tables, names and source files.')
        : make('ul', null, texts.map((text) => make('li', null, text))),
      make('p', null, 'Whether the run itself is complete is in ', make('a', { href: 'run.json' }, 'run.json'), ' beside this page.'));
  }

  return { id: 'about', title: 'About', create };
}());
