/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the timeline in Perfetto if there is a network: polls a window of ui.perfetto.dev until it
 * answers, then sends the trace as a message. The page itself requests nothing.
 */
opprof.perfetto = (function () {
  const ORIGIN = 'https://ui.perfetto.dev';
  const ASK_EVERY = 200; /* milliseconds */
  const ASK_TIMES = 150;

  function processes(timeline) {
    const numbers = new Map();
    timeline.lanes.forEach((lane) => {
      const key = lane.document + '\n' + lane.process;
      if (!numbers.has(key)) {
        numbers.set(key, numbers.size + 1);
      }
    });
    return (lane) => numbers.get(lane.document + '\n' + lane.process);
  }

  function describe(events, timeline, processOf) {
    timeline.lanes.forEach((lane, number) => {
      const pid = processOf(lane);
      events.push({ ph: 'M', pid, name: 'process_name', args: { name: lane.process_name || lane.process } });
      events.push({ ph: 'M', pid, tid: number + 1, name: 'thread_name', args: { name: lane.thread_name || lane.thread || '' } });
      if (lane.thread_sort !== undefined) {
        events.push({ ph: 'M', pid, tid: number + 1, name: 'thread_sort_index', args: { sort_index: lane.thread_sort } });
      }
    });
  }

  function addSpans(events, timeline, processOf) {
    for (const [number, lane] of timeline.finest.lanes) {
      const pid = processOf(timeline.lanes[number]);
      const spans = lane.spans;
      for (let i = 0; i < spans.count; i++) {
        const args = {};
        for (const [name, value] of opprof.timelineData.argumentsOf(timeline, spans.argument[i])) {
          args[name] = value;
        }
        if (spans.spans[i] > 1) {
          args.joint_spans = spans.spans[i];
        }
        events.push({
          ph: 'X', pid, tid: number + 1, name: timeline.names[spans.name[i]], ts: spans.start[i] / 1e6,
          dur: (spans.end[i] - spans.start[i]) / 1e6, args,
        });
      }
    }
  }

  function addCurves(events, timeline, processOf) {
    for (const curve of timeline.curves) {
      const pid = processOf(timeline.lanes[curve.lane]);
      for (let i = 0; i < curve.count; i++) {
        events.push({ ph: 'C', pid, name: curve.name, ts: curve.time[i] / 1e6, args: { [curve.series]: curve.high[i] } });
      }
    }
  }

  function addArrows(events, timeline, processOf) {
    const arrows = timeline.arrows;
    for (let id = 0; id < arrows.count; id++) {
      const end = (ph, lane, time) => ({ ph, id, name: 'flow', cat: 'flow', bp: 'e', pid: processOf(timeline.lanes[lane]), tid: lane + 1, ts: time / 1e6 });
      events.push(end('s', arrows.fromLane[id], arrows.from[id]), end('f', arrows.toLane[id], arrows.to[id]));
    }
  }

  /* The page's data in the form of Chrome's traces. */
  function trace(timeline) {
    const events = [];
    const processOf = processes(timeline);
    describe(events, timeline, processOf);
    addSpans(events, timeline, processOf);
    addCurves(events, timeline, processOf);
    addArrows(events, timeline, processOf);
    return new TextEncoder().encode(JSON.stringify({ traceEvents: events })).buffer;
  }

  function send(target, buffer, title, tell) {
    let asked = 0;
    const timer = window.setInterval(() => {
      if (++asked > ASK_TIMES || target.closed) {
        window.clearInterval(timer);
        window.removeEventListener('message', answer);
        tell(target.closed ? '' : 'Perfetto did not answer. Is there a network?');
        return;
      }
      target.postMessage('PING', ORIGIN);
    }, ASK_EVERY);
    function answer(event) {
      if (event.origin !== ORIGIN || event.data !== 'PONG') {
        return;
      }
      window.clearInterval(timer);
      window.removeEventListener('message', answer);
      target.postMessage({ perfetto: { buffer, title } }, ORIGIN);
      tell('Sent to Perfetto.');
    }
    window.addEventListener('message', answer);
  }

  function open(timeline, title, tell) {
    const target = window.open(ORIGIN);
    if (target === null) {
      tell('The browser did not open a window.');
      return;
    }
    tell('Waiting for Perfetto …');
    send(target, trace(timeline), title, tell);
  }

  return { open, trace };
}());
