/* SPDX-License-Identifier: Apache-2.0 */
/* The section of a comparison with another run: the verdict, what explains the difference, and all that differs. */
opprof.comparison = (function () {
  const make = opprof.elements.make;

  function field(name, heading, isNumber, meaning, absent) {
    return { name, heading, isNumber, isKey: !isNumber, flags: 0, kind: isNumber ? 'f64' : 'text', unit: '', meaning, absent };
  }

  /*
   * "better", "worse" or null. A number that is neither a time nor marked as better when larger,
   * such as a share of a unit's time, is neither.
   */
  function judge(change) {
    const isTime = change.kind === 'slower' || change.kind === 'faster';
    const isCalled = (change.kind === 'more' && change.better) || (change.kind === 'less' && !change.better);
    return !isTime && !isCalled ? null : change.better ? 'better' : 'worse';
  }

  /* Not everyone can see colours. */
  function kindOf(change) {
    const isPlain = change.kind === 'more' || change.kind === 'less';
    return isPlain && judge(change) !== null ? change.kind + ', ' + judge(change) : change.kind;
  }

  /* The subject of a change, whether its table is known or not. */
  function nameOf(change, isAlone) {
    const parts = isAlone ? [] : [change.title];
    if (change.key) { /* empty: all rows are one */
      parts.push((change.by ? change.by + ' ' : '') + change.key);
    }
    parts.push(change.column);
    return parts.join(', ');
  }

  function rowOf(change, isAlone) {
    const percent = (value) => (value === null ? null : Math.round(100 * value) / 100);
    const scaled = (value) => (value === null ? null : 100 * value);
    const spread = (value, runs) => (runs > 1 ? value : null);
    const row = [nameOf(change, isAlone), kindOf(change), change.before, change.after, change.unit || null,
      percent(change.percent), percent(scaled(change.before_share)), percent(scaled(change.after_share)),
      spread(change.before_spread, change.before_runs), spread(change.after_spread, change.after_runs)];
    row.looks = judge(change);
    return row;
  }

  const FIELDS = [
    field('what', 'What', false, 'Key of the row and the column that differs.', ''),
    field('change', 'Change', false, 'How the value changed.', ''),
    field('before', 'Before', true, 'The value in the first results, the median of several runs.', 'only the other results have it'),
    field('after', 'After', true, 'The value in the second results, the median of several runs.', 'only the other results have it'),
    field('unit', 'Unit', false, 'Unit of both values.', 'it has none'),
    field('percent', 'Difference (%)', true, 'Of the value before.', 'there is nothing to compare with'),
    field('share_before', 'Share before (%)', true, 'Of the sum over all rows before.', ''),
    field('share_after', 'Share after (%)', true, 'Of the sum over all rows after.', ''),
    field('spread_before', 'Spread before', true, 'Half the distance of the quartiles of the runs before.', 'there is one run'),
    field('spread_after', 'Spread after', true, 'Half the distance of the quartiles of the runs after.', 'there is one run'),
  ];

  /* The changes as a table like any other, without empty columns. */
  function tableOf(title, changes, total, isAlone) {
    const rows = changes.map((change) => rowOf(change, isAlone));
    const kept = FIELDS.map((one, column) => column).filter((column) => rows.some((row) => row[column] !== null));
    return {
      title, total, summary: '', fields: kept.map((column) => FIELDS[column]),
      rows: rows.map((row) => Object.assign(kept.map((column) => row[column]), { looks: row.looks })),
      rest: 'the others differ less, and are in the comparison as JSON',
    };
  }

  function card(title, changes, about) {
    return changes.length === 0 ? null : make('section', { class: 'card' }, make('h2', null, title),
      make('p', { class: 'about' }, about), opprof.table.create(tableOf(title, changes, changes.length, false)));
  }

  function side(name, one, isShown) {
    const missing = one.complete ? '' : ', incomplete' + (one.missing === null ? '' : ': ' + one.missing);
    const runs = opprof.format.count(one.runs, 'run') + missing;
    const shown = !isShown ? '' : one.runs > 1 ? '; the other sections show the first of them' : '; the other sections show it';
    return make('div', null, make('dt', null, name), make('dd', null, one.path === null ? '(a path that is not text)' : one.path,
      make('span', { class: 'topic' }, runs + shown)));
  }

  /* Without thresholds: how the whole changed. */
  function ofWhole(found) {
    const whole = found.run_time !== null ? found.run_time : found.whole.find((change) => judge(change) !== null);
    if (whole === undefined || whole.percent === null || whole.kind === 'same' || whole.kind === 'unsure') {
      const isSame = whole === undefined ? found.whole.every((change) => change.kind === 'same') : whole.kind === 'same';
      return [null, 'There are differences; ' + (isSame ? 'the whole did not change.' : 'how much the whole changed is unknown.')];
    }
    const number = opprof.format.number;
    return [judge(whole), whole.kind.charAt(0).toUpperCase() + whole.kind.slice(1) + ' by ' + number(Math.abs(whole.percent), 3) + ' %: ' +
      nameOf(whole, false) + ', ' + number(whole.before) + ' to ' + number(whole.after) + ' ' + whole.unit + '. No threshold was given.'];
  }

  function verdict(found) {
    if (found.rules.length > 0) {
      return found.regression ? ['worse', 'Regression: a threshold is broken.']
        : found.rules.some((rule) => rule.unsure) ? [null, 'No verdict on a threshold: there are too few repetitions.']
          : ['better', 'All thresholds hold.'];
    }
    if (!found.equal && found.texts.length === 0 && found.advice.length === 0 && found.tables.every((table) => table.differ === 0)) {
      return [null, 'No certain differences: there are too few repetitions for a verdict.'];
    }
    return found.equal ? [null, 'No differences.'] : ofWhole(found);
  }

  /* Where both timelines are, or how to get them. */
  function timelines(report) {
    const sides = report.timeline === null ? [] : opprof.timelineData.documents(report.timeline);
    const missing = ['before', 'after'].filter((side) => !sides.includes(side));
    return missing.length === 0 ? [make('a', { href: '#timeline' }, 'Both timelines'), ' lie above each other, and begin at 0.']
      : 'The results ' + missing.join(' and ') + ' have no timeline: keep trace.json beside results.sqlite, or run with --set formats=spans.';
  }

  function makeHead(found, report) {
    const [looks, text] = verdict(found);
    return make('section', { class: 'card' }, make('h2', null, 'What differs'),
      make('p', { class: 'verdict' + (looks === null ? '' : ' ' + looks) }, text),
      make('dl', { class: 'facts sides' }, side('Before', found.before, false), side('After', found.after, true)),
      make('p', { class: 'timelines' }, timelines(report)));
  }

  function makeRule(rule) {
    const [looks, word] = rule.broken ? ['worse', 'Broken'] : rule.unsure ? ['topic', 'No verdict'] : ['better', 'Holds'];
    return make('section', { class: 'card' }, make('h2', null, 'Threshold ', make('code', null, rule.rule)),
      make('p', null, make('strong', { class: looks }, word), ': ' +
        opprof.format.number(rule.broken_rows) + ' of ' + opprof.format.count(rule.tested, 'row') +
        (rule.broken_rows === 1 ? ' is' : ' are') + ' beyond it.' + (rule.unsure ? ' There are too few repetitions for a verdict.' : '') +
        (rule.pair_before ? ' ' + rule.pair_before + ' is compared with ' + rule.pair_after + ': no other row has the column.' : '')),
      rule.rows.length === 0 ? null : opprof.table.create(tableOf(rule.rule, rule.rows, rule.broken_rows, false)));
  }

  /* Texts such as a clock or what bounds a launch may explain what numbers do not. */
  function makeTexts(found) {
    const fields = [field('table', 'Table', false, 'Table of the text.', ''), field('what', 'What', false, 'Key of the row and the column that differs.', ''),
      field('before', 'Before', false, 'The text in the first results.', ''), field('after', 'After', false, 'The text in the second results.', '')];
    const rows = found.texts.map((change) => [change.title, nameOf(change, true), change.before, change.after]);
    const total = found.tables.reduce((sum, table) => sum + table.texts, 0);
    return rows.length === 0 ? null : make('section', { class: 'card' }, make('h2', null, 'Texts'),
      make('p', { class: 'about' }, 'Rows of both results whose text is another one.'),
      opprof.table.create({ title: 'Texts', total, summary: '', fields, rows, rest: 'the others are in the comparison as JSON' }));
  }

  function makeAdvice(found) {
    const fields = [field('change', 'Change', false, 'Which results give the advice: new, the second; gone, the first.', ''),
      field('severity', 'Severity', false, 'Severity of the advice.', ''), field('subject', 'Subject', false, 'What it is about.', 'the whole run'),
      field('sentence', 'Sentence', false, 'The advice.', '')];
    const rows = found.advice.map((one) => [one.kind, one.severity, one.subject || null, one.sentence]);
    return rows.length === 0 ? null : make('section', { class: 'card' }, make('h2', null, 'Advice that differs'),
      make('p', { class: 'about' }, 'Advice of all runs of one side and of none of the other.'),
      opprof.table.create({ title: 'Advice that differs', total: rows.length, summary: '', fields, rows, rest: '' }));
  }

  function makeTables(found) {
    const tables = found.tables.filter((table) => table.differ > 0)
      .map((table) => tableOf(table.title, table.changes, table.differ, true));
    const alike = found.tables.filter((table) => table.differ === 0 && table.unsure === 0 && table.texts === 0).map((table) => table.title).sort();
    return tables.length === 0 ? null : [make('h2', { class: 'part' }, 'All tables that differ'), opprof.tables.choose(tables, 'differences'),
      alike.length === 0 ? null : make('p', { class: 'about' }, 'No difference in ' + alike.join(', ') + '.')];
  }

  function create(report) {
    const found = opprof.data.parse('comparison', null);
    return found === null ? null : make('div', null, makeHead(found, report),
      card('Causes', found.causes, 'What changes in the same direction as the whole, largest first.'),
      card('The whole', found.whole, 'All rows of the tables that sum up the run, together: of what ran side by side the longest counts.'),
      found.rules.map(makeRule), makeTexts(found), makeAdvice(found), makeTables(found));
  }

  return { id: 'comparison', title: 'Comparison', create };
}());
