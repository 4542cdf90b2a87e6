/* SPDX-License-Identifier: Apache-2.0 */
/* The vertical layout: processes, their lanes and curves, as lines with a place and a height. */
opprof.timelineLines = (function () {
  const HEAD = 24;
  const ROW = 18;
  const GAP = 6;
  const CURVE = 46;

  function rank(value) {
    return value === undefined ? Infinity : value;
  }

  function documentName(lane) {
    return lane.document === undefined ? undefined : lane.document.replace(/\/?trace$/, '');
  }

  /* True if the name of a process begins with that of its document, as "rank 3 device 0" does with "rank3". */
  function hasDocument(name, document) {
    const letters = name.replace(/ /g, '');
    return document !== '' && letters.startsWith(document) && !/^\d/.test(letters.slice(document.length));
  }

  function isSide(lane) {
    return lane.document === 'before' || lane.document === 'after';
  }

  /* Of two runs each process of the first is above that of the second. */
  function compareSides(a, b) {
    const byText = (one, other) => opprof.filter.compare(one === undefined ? null : one, other === undefined ? null : other);
    return rank(a.process_sort) - rank(b.process_sort) || byText(a.process, b.process) || byText(b.document, a.document) ||
      (rank(a.thread_sort) - rank(b.thread_sort) || 0) || byText(a.thread, b.thread);
  }

  function compareLanes(a, b) {
    const byText = (one, other) => opprof.filter.compare(one === undefined ? null : one, other === undefined ? null : other);
    if (isSide(a) && isSide(b)) {
      return compareSides(a, b) || 0;
    }
    return byText(documentName(a), documentName(b)) || (rank(a.process_sort) - rank(b.process_sort) || 0) || byText(a.process, b.process) ||
      (rank(a.thread_sort) - rank(b.thread_sort) || 0) || byText(a.thread, b.thread);
  }

  function processLabel(lane, hasDocuments) {
    const name = lane.process_name || lane.process;
    const document = documentName(lane);
    if (isSide(lane)) {
      return lane.document + ': ' + name;
    }
    return hasDocuments && lane.document !== name && !hasDocument(name, document) ? document + ' ' + name : name;
  }

  function laneLabel(lane) {
    return lane.thread_name || lane.thread || '';
  }

  /* Processes with their lanes and curves, in their order. */
  function group(timeline, isWanted) {
    const order = timeline.lanes.map((lane, number) => ({ lane, number })).filter((entry) => isWanted(entry.lane))
      .sort((a, b) => compareLanes(a.lane, b.lane));
    const hasDocuments = new Set(order.map((entry) => entry.lane.document)).size > 1;
    const groups = new Map();
    for (const { lane, number } of order) {
      const key = lane.document + '\n' + lane.process;
      if (!groups.has(key)) {
        groups.set(key, { key, part: lane.document + '\n' + rank(lane.process_sort), label: processLabel(lane, hasDocuments), lanes: [], curves: [] });
      }
      if (timeline.finest.lanes.has(number)) {
        groups.get(key).lanes.push(number);
      }
      groups.get(key).curves.push(...timeline.curves.filter((curve) => curve.lane === number));
    }
    for (const one of groups.values()) {
      one.curves.sort((a, b) => opprof.filter.compare(a.name, b.name) || opprof.filter.compare(a.series, b.series));
    }
    return moveCurves(Array.from(groups.values()));
  }

  /* Where several processes belong together, as a rank's devices and its host, their spans come one below the other, then the curves. */
  function moveCurves(groups) {
    const last = new Map();
    for (const one of groups.filter((group) => group.lanes.length > 0)) {
      last.set(one.part, last.has(one.part) ? one : null);
    }
    return groups.flatMap((one) => {
      const end = last.get(one.part);
      if (!end) {
        return [one];
      }
      const moved = one === end ? groups.filter((other) => other.part === one.part && other.curves.length > 0) : [];
      return (one.lanes.length > 0 ? [Object.assign({}, one, { curves: [] })] : []).concat(moved.map((other) =>
        Object.assign({}, other, { key: other.key + '\ncurves', label: other.label + (other.lanes.length > 0 ? ' curves' : ''), lanes: [] })));
    });
  }

  /* A level shows no more rows of a lane than it has: those of spans that it joins are empty. */
  function make(timeline, isWanted, closed, level) {
    const lines = [];
    let top = 0;
    const add = (line, height) => {
      lines.push(Object.assign(line, { top, height }));
      top += height;
    };
    for (const one of group(timeline, isWanted)) {
      const isClosed = closed.has(one.key);
      add({ kind: 'process', key: one.key, label: one.label, isClosed, lanes: one.lanes }, HEAD);
      if (isClosed) {
        continue;
      }
      for (const number of one.lanes) {
        const rows = level.lanes.get(number).rows.length;
        add({ kind: 'lane', lane: number, label: laneLabel(timeline.lanes[number]), rows, process: one.label }, rows * ROW + GAP);
      }
      for (const curve of one.curves) {
        add({ kind: 'curve', curve, label: curve.name, process: one.label }, CURVE);
      }
    }
    return { lines, height: top };
  }

  function at(layout, y) {
    return layout.lines.find((line) => y >= line.top && y < line.top + line.height) || null;
  }

  return { make, at, ROW, GAP };
}());
