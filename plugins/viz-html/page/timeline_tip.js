/* SPDX-License-Identifier: Apache-2.0 */
/* The text about a span or a sample: beside the pointer, and below the timeline. */
opprof.timelineTip = (function () {
  const make = opprof.elements.make;

  function laneName(timeline, number) {
    const lane = timeline.lanes[number];
    return [lane.process_name || lane.process, lane.thread_name || lane.thread].filter((text) => text).join(' · ');
  }

  function spanFacts(timeline, span) {
    const facts = [['Start', opprof.format.time(span.start)], ['Duration', opprof.format.time(span.end - span.start)]];
    if (span.spans > 1) {
      facts.push(['Joint', opprof.format.count(span.spans, 'short span') + ', ' + opprof.format.number(span.share / 10) +
        ' % of the time; most of it probably of this name']);
    }
    facts.push(['Lane', laneName(timeline, span.lane)]);
    return facts.concat(opprof.timelineData.argumentsOf(timeline, span.argument));
  }

  const ENDS = 5;
  const NAME_MAX = 80;

  function nameOf(timeline, span) {
    const name = timeline.names[span.name] || '(no name)';
    return name.length > NAME_MAX ? name.slice(0, NAME_MAX - 1) + '…' : name;
  }

  function endText(timeline, end) {
    const spans = end.found === null ? null : timeline.finest.lanes.get(end.lane).spans;
    const name = spans === null ? '' : nameOf(timeline, { name: spans.name[end.found.place] }) + ', ';
    return name + laneName(timeline, end.lane) + ', at ' + opprof.format.time(end.time);
  }

  /* Where the arrows of a span come from and lead to. */
  function arrowFacts(timeline, span) {
    const ends = opprof.timelineArrows.ofSpan(timeline, span, ENDS);
    const more = ends.outCount - ends.out.length;
    return ends.into.map((end) => ['Arrow from', endText(timeline, end)]).concat(ends.out.map((end) => ['Arrow to', endText(timeline, end)]),
      more > 0 ? [['', 'and ' + opprof.format.number(more) + ' more']] : []);
  }

  /* Why nothing runs before a span, if an arrow says when it was launched. */
  function causeOf(timeline, hit) {
    const time = opprof.format.time;
    const launch = opprof.timelineArrows.ofSpan(timeline, Object.assign({}, hit.after, { end: hit.after.start }), 1).into[0];
    if (launch === undefined) {
      return [];
    }
    const late = launch.time - hit.before.end;
    return [['Cause', late > 0 ? 'The host launched the next work only ' + time(late) + ' after this lane had become idle'
      : 'The next work was launched ' + time(-late) + ' before this lane became idle: it waited for something else'],
    ['Launched in', endText(timeline, launch)]];
  }

  function gapOf(timeline, hit) {
    const time = opprof.format.time;
    return { title: 'Nothing for ' + time(hit.after.start - hit.before.end), facts: [['Lane', laneName(timeline, hit.lane)],
      ['After', nameOf(timeline, hit.before) + ', which ends at ' + time(hit.before.end)],
      ['Before', nameOf(timeline, hit.after) + ', which starts at ' + time(hit.after.start)]].concat(causeOf(timeline, hit)) };
  }

  function sampleFacts(hit) {
    const curve = hit.curve;
    const number = opprof.format.number;
    const value = curve.low[hit.sample] === curve.high[hit.sample]
      ? number(curve.low[hit.sample])
      : number(curve.low[hit.sample]) + ' to ' + number(curve.high[hit.sample]);
    return [[curve.series, value], ['From', opprof.format.time(curve.time[hit.sample])]];
  }

  function list(facts) {
    return make('dl', null, facts.map(([name, value]) => [make('dt', null, name), make('dd', null, String(value))]));
  }

  /* Title and facts of what is at a point; null if there is nothing. */
  function of(timeline, hit) {
    if (hit === null || hit.kind === 'process') {
      return null;
    }
    if (hit.kind === 'gap') {
      return gapOf(timeline, hit);
    }
    return hit.kind === 'span'
      ? { title: timeline.names[hit.span.name] || '(no name)', facts: spanFacts(timeline, hit.span) }
      : { title: hit.curve.name, facts: sampleFacts(hit) };
  }

  function fill(element, said) {
    opprof.elements.empty(element);
    element.append(make('strong', null, said.title), list(said.facts));
  }

  /* Beside the pointer, within the box. */
  function place(element, box, x, y) {
    element.style.left = Math.max(4, x + 14 + element.offsetWidth > box.clientWidth ? x - 14 - element.offsetWidth : x + 14) + 'px';
    element.style.top = Math.max(4, Math.min(y + 14, box.clientHeight - element.offsetHeight - 4)) + 'px';
  }

  return { of, fill, place, spanFacts, arrowFacts };
}());
