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

  return { of, fill, place, spanFacts };
}());
