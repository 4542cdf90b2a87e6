/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up spans by name, over the whole time or a part of it, and finds those of a name. */
opprof.timelineSums = (function () {
  const MATCHES_MAX = 200000;

  function newSum(name, isPart) {
    return { name, count: 0, time: 0, longest: 0, isAbout: false, isPart };
  }

  function addSpan(sums, spans, place, from, to) {
    const name = spans.name[place];
    let sum = sums.get(name);
    if (sum === undefined) {
      sum = newSum(name);
      sums.set(name, sum);
    }
    const part = Math.min(spans.end[place], to) - Math.max(spans.start[place], from);
    const isJoint = spans.spans[place] > 1;
    sum.count += spans.spans[place];
    sum.time += isJoint ? part * spans.share[place] / 1000 : part;
    sum.isAbout = sum.isAbout || isJoint;
    sum.longest = isJoint ? sum.longest : Math.max(sum.longest, spans.end[place] - spans.start[place]);
  }

  /* Sums by name of the spans of some lanes between two times. */
  function sum(timeline, lanes, from, to) {
    const sums = new Map();
    for (const number of lanes) {
      const lane = timeline.finest.lanes.get(number);
      for (const row of lane === undefined ? [] : lane.rows) {
        for (let i = opprof.timelineData.firstAfter(lane.spans, row, from); i < row.length && lane.spans.start[row[i]] <= to; i++) {
          addSpan(sums, lane.spans, row[i], from, to);
        }
      }
    }
    return Array.from(sums.values()).sort((a, b) => b.time - a.time);
  }

  /* Sums by name and name of the lane: what an analysis draws beside a timeline is not added to it. */
  function sumByLane(timeline, lanes) {
    const groups = new Map();
    for (const number of lanes) {
      const name = timeline.lanes[number].thread_name || timeline.lanes[number].thread || '';
      if (!groups.has(name)) {
        groups.set(name, []);
      }
      groups.get(name).push(number);
    }
    return Array.from(groups).flatMap(([lane, numbers]) => sum(timeline, numbers, 0, timeline.length).map((one) => Object.assign(one, { lane })))
      .sort((a, b) => b.time - a.time);
  }

  const FIELDS = [
    { name: 'name', heading: 'Name', kind: 'string', flags: 2, isNumber: false, isKey: true, meaning: 'Text on the spans.' },
    { name: 'count', heading: 'Spans', kind: 'u64', flags: 0, isNumber: true, meaning: 'Number of spans, as a whole or in part.' },
    { name: 'time', heading: 'Time (us)', kind: 'f64', unit: 'us', flags: 0, isNumber: true, meaning: 'Sum of their times within the selection.' },
    { name: 'share', heading: 'Share (%)', kind: 'f64', unit: '%', flags: 0, isNumber: true,
      meaning: 'That sum as a share of the length of the selection; lanes run side by side, so it can be above 100.' },
    { name: 'mean', heading: 'Mean (us)', kind: 'f64', unit: 'us', flags: 0, isNumber: true, meaning: 'Time divided by spans.' },
    { name: 'longest', heading: 'Longest (us)', kind: 'f64', unit: 'us', flags: 0, isNumber: true,
      meaning: 'The longest span, with what of it lies outside of the selection.', absent: 'only joint spans have this name' },
  ];

  /* Sums as a table for opprof.table. */
  function table(timeline, lanes, from, to, title) {
    const sums = sum(timeline, lanes, from, to);
    const us = (time) => Number((time / 1e6).toPrecision(9));
    return {
      type: 'sums', title, summary: '', total: sums.length, fields: FIELDS,
      rows: sums.map((one) => [timeline.names[one.name], one.count, us(one.time), Number((100 * one.time / (to - from || 1)).toPrecision(4)),
        us(one.time / one.count), one.longest > 0 ? us(one.longest) : null]),
    };
  }

  /* For each name whether it contains a text; null for no text. */
  function match(names, text) {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') {
      return null;
    }
    return Uint8Array.from(names, (name) => (String(name).toLowerCase().includes(wanted) ? 1 : 0));
  }

  /* Spans with such names in the order of time. */
  function find(timeline, lanes, matched) {
    const found = [];
    for (const number of lanes) {
      const lane = timeline.finest.lanes.get(number);
      for (let place = 0; lane !== undefined && place < lane.spans.count && found.length < MATCHES_MAX; place++) {
        if (matched[lane.spans.name[place]] === 1) {
          found.push({ lane: number, place, start: lane.spans.start[place] });
        }
      }
    }
    return found.sort((a, b) => a.start - b.start);
  }

  return { sum, sumByLane, table, match, find };
}());
