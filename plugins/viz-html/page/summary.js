/* SPDX-License-Identifier: Apache-2.0 */
/* The first section: what ran, what is advised, and the tables that people want to see first. */
opprof.summary = (function () {
  const make = opprof.elements.make;
  const SUMMARY = 4;
  const ADVICE = 'advice';
  const SEVERITIES = ['problem', 'hint', 'note'];
  const CARD_FIELDS = 24;

  function adviceOf(report) {
    const list = [];
    for (const table of opprof.data.tablesOf(report, ADVICE)) {
      const at = (name) => opprof.data.column(table, name);
      for (const row of table.rows) {
        list.push({
          severity: row[at('severity')] || 'note',
          topic: row[at('topic')],
          subject: row[at('subject')],
          sentence: row[at('sentence')],
          numbers: at('numbers') < 0 ? null : row[at('numbers')],
        });
      }
    }
    return list;
  }

  /* Equal sentences once, with all that they are about. */
  function gather(list) {
    const sentences = new Map();
    for (const one of list) {
      const key = JSON.stringify([one.severity, one.topic, one.sentence]);
      if (!sentences.has(key)) {
        sentences.set(key, { advice: one, about: [] });
      }
      sentences.get(key).about.push(one);
    }
    const rank = (entry) => SEVERITIES.indexOf(entry.advice.severity);
    return Array.from(sentences.values()).sort((a, b) => rank(a) - rank(b));
  }

  function makeNumbers(about) {
    const lines = about.filter((one) => one.subject || one.numbers);
    if (lines.length === 0) {
      return null;
    }
    const first = lines.slice(0, 20);
    return make('ul', { class: 'numbers' },
      first.map((one) => make('li', null, [one.subject, one.numbers].filter((text) => text).join(': '))),
      lines.length > first.length ? make('li', null, 'and ' + opprof.format.number(lines.length - first.length) + ' more') : null);
  }

  function makeAdvice(report) {
    const entries = gather(adviceOf(report));
    if (entries.length === 0) {
      return null;
    }
    return make('section', { class: 'card', 'aria-labelledby': 'advice-title' }, make('h2', { id: 'advice-title' }, 'Advice'),
      make('ol', { class: 'advice' }, entries.map((entry) => make('li', { class: entry.advice.severity },
        make('div', { class: 'sentence' }, make('span', { class: 'badge' }, entry.advice.severity), make('p', null,
          make('strong', null, entry.advice.sentence), entry.advice.topic ? make('span', { class: 'topic' }, entry.advice.topic) : null)),
        makeNumbers(entry.about)))));
  }

  /* A table of one row reads better as a list. */
  function makeCard(table) {
    const row = table.rows[0];
    const pairs = table.fields.map((field, column) => ({ field, cell: row[column] })).filter((pair) => pair.cell !== null);
    return make('dl', { class: 'facts' }, pairs.slice(0, CARD_FIELDS).map((pair) => make('div', null,
      make('dt', { title: pair.field.meaning || null }, opprof.table.heading(pair.field)),
      make('dd', null, opprof.table.cellText(pair.cell, pair.field)))));
  }

  function makeShort(table) {
    return make('section', { class: 'card' }, make('h2', null, table.title),
      table.summary ? make('p', { class: 'about' }, table.summary) : null,
      table.rows.length === 1 ? makeCard(table) : opprof.table.create(table));
  }

  function shortTables(report) {
    return report.tables.filter((table) => (table.flags & SUMMARY) !== 0 && table.type !== ADVICE && table.rows.length > 0);
  }

  function tellStopped(report) {
    return report.run.stopped
      ? make('p', { class: 'notice problem' }, 'The run was stopped before its end: this page shows what had come in until then.')
      : null;
  }

  function create(report) {
    const advice = makeAdvice(report);
    const cards = shortTables(report).map(makeShort);
    return make('div', null, tellStopped(report), advice, cards,
      advice === null && cards.length === 0
        ? make('p', { class: 'card' }, 'No analysis of this run gave advice or a summary. What was found is in the other sections.')
        : null);
  }

  return { id: 'summary', title: 'Summary', create };
}());
