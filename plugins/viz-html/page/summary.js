/* SPDX-License-Identifier: Apache-2.0 */
/* The first section: what ran, the advice, and the tables that people want to see first. */
opprof.summary = (function () {
  const make = opprof.elements.make;
  const SUMMARY = 4;
  const ADVICE = 'advice';
  const SEVERITIES = ['problem', 'hint', 'note'];
  const CARD_FIELDS = 24;
  const NAMES = 10;

  /* Results of earlier releases lack some columns. */
  function cellAt(table, row, name) {
    const at = opprof.data.column(table, name);
    return at < 0 ? null : row[at];
  }

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
          source: sourceOf((name) => (at(name) < 0 ? null : row[at(name)])),
          gain: at('gain') < 0 ? null : row[at('gain')],
          rule: cellAt(table, row, 'rule'), todo: cellAt(table, row, 'todo'), table: cellAt(table, row, 'from_table'),
          track: cellAt(table, row, 'track'), start: cellAt(table, row, 'start_us'),
        });
      }
    }
    return list;
  }

  /* "aic_mte2_ratio=0.83 in PipeUtilization.csv" */
  function sourceOf(cell) {
    if (cell('column') === null) {
      return null;
    }
    const unit = cell('unit') === null || cell('unit') === 'ratio' ? '' : ' ' + cell('unit');
    const value = cell('value') === null ? '' : '=' + opprof.format.number(cell('value')) + unit;
    return cell('column') + value + (cell('file') === null ? '' : ' in ' + cell('file'));
  }

  /* The largest possible gain comes first. */
  function mostOf(entry) {
    return Math.max(...entry.about.map((one) => one.gain === null ? 0 : one.gain));
  }

  /* Equal sentences, and those of one rule, once with all their subjects. */
  function gather(list) {
    const sentences = new Map();
    for (const one of list) {
      const key = JSON.stringify(one.rule === null ? [one.severity, one.topic, one.sentence] : [one.rule]);
      if (!sentences.has(key)) {
        sentences.set(key, { advice: one, about: [] });
      }
      sentences.get(key).about.push(one);
    }
    const rank = (entry) => SEVERITIES.indexOf(entry.advice.severity);
    return Array.from(sentences.values()).sort((a, b) => mostOf(b) - mostOf(a) || rank(a) - rank(b));
  }

  /* To the place in the timeline and the table that show it. */
  function makeLinks(report, one) {
    const go = (section, reveal) => make('a', { href: '#' + section, click: reveal }, section === 'timeline' ? 'in the timeline' : 'in the table');
    const hasPlace = report.timeline !== null && one.start !== null;
    const isListed = one.table !== null && opprof.tables.has(report, one.table);
    return !hasPlace && !isListed ? null : make('p', { class: 'about' }, 'Show it ',
      hasPlace ? go('timeline', () => opprof.timeline.reveal(one.track, one.start)) : null, hasPlace && isListed ? ' or ' : null,
      isListed ? go('tables', () => opprof.tables.reveal(one.table)) : null);
  }

  function makeNumbers(about) {
    const lines = about.filter((one) => one.subject || one.source || one.numbers);
    if (lines.length === 0) {
      return null;
    }
    const first = lines.sort((a, b) => b.gain - a.gain).slice(0, 20);
    return make('ul', { class: 'numbers' },
      first.map((one) => make('li', null, [one.subject, one.source, one.numbers].filter((text) => text).join(': '))),
      lines.length > first.length ? make('li', null, 'and ' + opprof.format.number(lines.length - first.length) + ' more') : null);
  }

  function makeAdvice(report) {
    const entries = gather(adviceOf(report));
    if (entries.length === 0) {
      return null;
    }
    const bounds = entries.filter((entry) => mostOf(entry) > 0).length;
    return make('section', { class: 'card', 'aria-labelledby': 'advice-title' }, make('h2', { id: 'advice-title' }, 'Advice'),
      opprof.data.tablesOf(report, ADVICE).map(opprof.table.tellMissing),
      bounds < 2 ? null : make('p', { class: 'about' }, 'Each gain is a bound by itself: gains do not add up.'),
      make('ol', { class: 'advice' }, entries.map((entry) => make('li', { class: entry.advice.severity },
        make('div', { class: 'sentence' }, make('span', { class: 'badge' }, entry.advice.severity), make('p', null,
          make('strong', null, entry.advice.sentence), entry.advice.topic ? make('span', { class: 'topic' }, entry.advice.topic) : null,
          mostOf(entry) > 0 ? make('span', { class: 'gain' }, 'could save up to ' + opprof.format.number(Math.round(mostOf(entry) * 10) / 10) + ' % of the time') : null)),
        entry.advice.todo === null ? null : make('p', { class: 'todo' }, entry.advice.todo), makeLinks(report, entry.advice),
        makeNumbers(entry.about)))));
  }

  /* A table with a single row reads better as a list. */
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

  function fact(name, value) {
    return make('div', null, make('dt', null, name), make('dd', null, value));
  }

  /* What a host does nests, so that its times are in others: the table is about what devices do. */
  function isHost(lane) {
    return / host$/.test(lane.process_name || lane.process);
  }

  function makeNames(timeline, all) {
    const lanes = all.filter((lane) => !isHost(timeline.lanes[lane]));
    const sums = opprof.timelineSums.sumByLane(timeline, lanes).filter((one) => one.time > 0).slice(0, NAMES);
    if (sums.length === 0) {
      return null;
    }
    return [make('h3', null, 'Names with most time'), make('table', { class: 'bars', 'aria-label': 'Names by the time of their spans' },
      make('tbody', null, sums.map((one) => make('tr', null, make('th', { scope: 'row', title: timeline.names[one.name] }, timeline.names[one.name] || '(no name)',
        one.lane === '' ? null : make('span', { class: 'topic' }, one.lane)),
        make('td', { class: 'number' }, opprof.format.time(Math.round(one.time))),
        make('td', null, make('meter', { min: 0, max: sums[0].time, value: one.time, 'aria-label': 'Against the largest' })),
        make('td', { class: 'number' }, opprof.format.count(one.count, 'span'))))))];
  }

  /* Figures about the timeline. */
  function makeGlance(report) {
    const timeline = report.timeline;
    if (timeline === null) {
      return null;
    }
    const main = opprof.timelineData.mainDocument(timeline);
    const lanes = Array.from(timeline.finest.lanes.keys()).filter((lane) => main === null || timeline.lanes[lane].document === main);
    const counts = [['Spans', timeline.facts.spans], ['Lanes', lanes.length], ['Arrows', timeline.facts.arrows], ['Curves', timeline.curves.length]];
    return make('section', { class: 'card' }, make('h2', null, 'Timeline'), make('dl', { class: 'facts' },
      fact('Time', opprof.format.time(timeline.length)),
      counts.filter(([, count]) => count > 0).map(([name, count]) => fact(name, opprof.format.number(count)))), makeNames(timeline, lanes));
  }

  /* Says that the run is incomplete, and which of its stages reported it. */
  function tellMissing(report) {
    const reasons = (report.run.missing || '').split('\n').filter((reason) => reason !== '');
    if (!report.run.stopped && reasons.length === 0) {
      return null;
    }
    return make('div', { class: 'notice problem', role: 'note' },
      make('p', null, report.run.stopped ? 'The run was stopped before its end: this page shows what had arrived by then.'
        : 'The run is incomplete: this page shows what was available.'),
      reasons.length === 0 ? null : make('ul', null, reasons.map((reason) => make('li', null, reason))));
  }

  /* How long it took, and what costs most of it. */
  function makeAnswer(report) {
    const time = opprof.identity.time(report);
    const entries = gather(adviceOf(report));
    const first = entries.length === 0 ? null : entries[0];
    const most = first === null ? 0 : mostOf(first);
    const texts = [time === null ? null : time + '.',
      first === null ? null : (most > 0 ? 'Up to ' + opprof.format.number(Math.round(most * 10) / 10) + ' %: ' : '') + first.advice.sentence + '.'];
    return texts.every((text) => text === null) ? null : make('section', { class: 'card' }, make('h2', { class: 'unseen' }, 'Answer'),
      make('p', { class: 'answer' }, texts.filter((text) => text !== null).join(' ')));
  }

  function create(report) {
    const answer = makeAnswer(report);
    const parts = opprof.parts.create(report);
    const advice = makeAdvice(report);
    const cards = shortTables(report).map(makeShort);
    const glance = makeGlance(report);
    return make('div', null, tellMissing(report), answer, parts, advice, cards, glance,
      parts === null && advice === null && cards.length === 0 && glance === null
        ? make('p', { class: 'card' }, 'No analysis of this run gave advice or a summary. All findings are in the other sections.')
        : null);
  }

  return { id: 'summary', title: 'Summary', create };
}());
