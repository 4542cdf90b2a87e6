/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the timeline: its tools, its canvas, and the details of the selection below it. */
opprof.timeline = (function () {
  const make = opprof.elements.make;
  const HELP = [
    ['W S, or Ctrl and wheel', 'zoom'], ['A D, or drag', 'move in time'], ['Shift and drag', 'select a time, and add up what is in it'],
    ['← → ↑ ↓', 'choose the span before, after, above, below'], ['F', 'show the selection or the chosen span'], ['N P', 'next and previous found span'],
    ['Home or 0', 'show all'], ['Esc', 'drop the selection'], ['Click a process', 'fold it'],
  ];

  function size(state) {
    const scale = window.devicePixelRatio || 1;
    const view = state.view;
    view.width = state.viewport.clientWidth;
    view.height = state.viewport.clientHeight;
    view.gutter = view.width < 600 ? 92 : 180;
    state.spacer.style.height = Math.max(view.layout.height + opprof.timelinePaint.RULER, view.height) + 'px';
    state.canvas.style.height = view.height + 'px';
    if (state.canvas.width !== Math.round(view.width * scale) || state.canvas.height !== Math.round(view.height * scale)) {
      state.canvas.width = Math.round(view.width * scale);
      state.canvas.height = Math.round(view.height * scale);
    }
    state.context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  function draw(state) {
    state.isWaiting = false;
    if (state.viewport.clientWidth === 0) {
      return; /* another section is shown */
    }
    state.view.width = state.viewport.clientWidth;
    state.view.useLevel();
    fitHeight(state);
    size(state);
    state.view.top = state.viewport.scrollTop;
    const leftOut = opprof.timelinePaint.paint(state.view, state.context);
    const view = state.view;
    const from = Math.max(view.from, 0);
    const to = Math.min(view.to, view.timeline.length);
    state.status.textContent = opprof.format.moment(from, (to - from) / 100) + ' to ' + opprof.format.moment(to, (to - from) / 100) +
      ', ' + opprof.format.time(Math.round(to - from)) +
      (leftOut > 0 ? ' · ' + opprof.format.number(leftOut) + ' arrows, zoom in to see them' : '');
    state.frames++;
  }

  function redraw(state) {
    if (!state.isWaiting) {
      state.isWaiting = true;
      window.requestAnimationFrame(() => draw(state));
    }
  }

  function showChosen(state) {
    const chosen = state.view.chosen;
    opprof.elements.empty(state.details);
    if (chosen === null && state.gap !== null) {
      const said = opprof.timelineTip.of(state.view.timeline, state.gap);
      opprof.timelineTip.fill(state.details, said);
      opprof.elements.announce(said.title);
      return;
    }
    if (chosen === null) {
      state.details.append(make('p', { class: 'about' }, 'Choose a span by a click or with the arrow keys to see its arguments and arrows; click between two spans to see why nothing runs there.'));
      return;
    }
    const said = opprof.timelineTip.of(state.view.timeline, { kind: 'span', span: chosen });
    said.facts = said.facts.concat(opprof.timelineTip.arrowFacts(state.view.timeline, chosen));
    opprof.timelineTip.fill(state.details, said);
    opprof.elements.announce(said.title + ', ' + said.facts.slice(0, 2).map((fact) => fact.join(' ')).join(', '));
  }

  function showSums(state) {
    const view = state.view;
    const [from, to] = view.range || [0, view.timeline.length];
    const title = view.range === null ? 'Spans by name' : 'Spans by name, ' + opprof.format.time(from) + ' to ' + opprof.format.time(to) +
      ' (' + opprof.format.time(to - from) + ')';
    opprof.elements.empty(state.sums);
    state.sums.append(make('h2', null, title), opprof.table.create(opprof.timelineSums.table(view.timeline, view.lanes(), from, to, title)));
    state.summed = view.range;
  }

  /* The chosen line must be visible. */
  function scrollToChosen(state) {
    const view = state.view;
    const line = view.chosen === null ? undefined : view.layout.lines.find((one) => one.kind === 'lane' && one.lane === view.chosen.lane);
    if (line === undefined) {
      return;
    }
    const room = view.height - opprof.timelinePaint.RULER;
    if (line.top < state.viewport.scrollTop) {
      state.viewport.scrollTop = line.top;
    } else if (line.top + line.height > state.viewport.scrollTop + room) {
      state.viewport.scrollTop = line.top + line.height - room;
    }
  }

  function changed(state, isDone) {
    if (isDone && state.shownSpan !== state.view.chosen) {
      state.shownSpan = state.view.chosen;
      scrollToChosen(state);
      showChosen(state);
    }
    if (isDone && state.summed !== state.view.range) {
      showSums(state);
    }
    redraw(state);
  }

  function hover(state, x, y) {
    const said = x < 0 ? null : opprof.timelineTip.of(state.view.timeline, state.view.at(x, y));
    state.tip.hidden = said === null;
    if (said !== null) {
      opprof.timelineTip.fill(state.tip, said);
      opprof.timelineTip.place(state.tip, state.frame, x, y);
    }
  }

  function click(state, x, y) {
    const hit = state.view.at(x, y);
    if (hit !== null && hit.kind === 'process') {
      const key = hit.line.key;
      if (!state.view.closed.delete(key)) {
        state.view.closed.add(key);
      }
      state.view.layOut();
    } else if (hit !== null && hit.kind === 'span') {
      state.view.choose(hit.span.lane, hit.span.place);
    } else {
      state.view.chosen = null;
      state.gap = state.view.gapAt(x, y);
      state.shownSpan = undefined;
    }
    changed(state, true);
    state.gap = null;
  }

  function search(state) {
    state.view.search(state.input.value);
    const count = state.view.matches.length;
    state.found.textContent = state.view.matched === null ? '' : opprof.format.number(count) + ' found';
    opprof.elements.announce(state.found.textContent);
    redraw(state);
  }

  function stepMatch(state, by) {
    state.view.stepMatch(by);
    if (state.view.match >= 0) {
      state.found.textContent = opprof.format.number(state.view.match + 1) + ' of ' + opprof.format.number(state.view.matches.length);
    }
    changed(state, true);
  }

  function makeSearch(state) {
    state.input = make('input', {
      type: 'search', 'aria-label': 'Search spans by name', placeholder: 'Search spans', autocomplete: 'off', spellcheck: 'false',
      input: () => search(state),
      keydown: (event) => {
        if (event.key === 'Enter') {
          stepMatch(state, event.shiftKey ? -1 : 1);
        }
      },
    });
    state.found = make('span', { class: 'found' });
    return [state.input, make('button', { type: 'button', 'aria-label': 'Previous found span', click: () => stepMatch(state, -1) }, '‹'),
      make('button', { type: 'button', 'aria-label': 'Next found span', click: () => stepMatch(state, 1) }, '›'), state.found];
  }

  function makeDocuments(state) {
    const names = opprof.timelineData.documents(state.view.timeline);
    if (names.length < 2) {
      return null;
    }
    const select = make('select', {
      'aria-label': 'Timeline',
      change: () => {
        state.view.document = select.value === '' ? null : select.value;
        state.view.chosen = null;
        state.view.layOut();
        search(state);
        state.summed = undefined;
        changed(state, true);
      },
    }, make('option', { value: '' }, 'All timelines'), names.map((name) => make('option', { value: name }, name)));
    state.view.document = opprof.timelineData.mainDocument(state.view.timeline);
    select.value = state.view.document || '';
    state.view.layOut();
    return select;
  }

  function makeCheck(label, isOn, set) {
    return make('label', { class: 'check' }, make('input', { type: 'checkbox', checked: isOn, change: (event) => set(event.target.checked) }), label);
  }

  function makeTools(state, title) {
    const act = (label, name, change) => make('button', {
      type: 'button', 'aria-label': name, title: name,
      click: () => {
        change(state.view);
        changed(state, true);
      },
    }, label);
    const hasArrows = state.view.timeline.arrows.count > 0;
    return make('div', { class: 'tools' }, makeDocuments(state), makeSearch(state),
      act('+', 'Zoom in', (view) => view.zoom(0.5)), act('−', 'Zoom out', (view) => view.zoom(2)), act('All', 'Show all', (view) => view.showAll()),
      makeCheck('Drag selects', false, (isOn) => { state.selects = isOn; }),
      hasArrows ? makeCheck('Arrows', true, (isOn) => {
        state.view.showsArrows = isOn;
        redraw(state);
      }) : null,
      make('button', {
        type: 'button', title: 'Sends what this page holds to ui.perfetto.dev in a new window',
        click: () => opprof.perfetto.open(state.view.timeline, title, (text) => { state.said.textContent = text; }),
      }, 'Open in Perfetto'), state.said);
  }

  function tellJoined(facts) {
    if (facts.grain === 0 && facts.arguments_left_out === 0) {
      return null;
    }
    const texts = [];
    if (facts.grain > 0) {
      texts.push('Of ' + opprof.format.count(facts.spans, 'span') + ' those shorter than ' + opprof.format.time(facts.grain) +
        ' are joined, in paler colours, one per lane and ' + opprof.format.time(facts.width) + '.');
    }
    if (facts.arguments_left_out > 0) {
      texts.push('Arguments are those of spans of ' + opprof.format.time(Math.max(facts.grain, facts.arguments_least)) + ' and more.');
    }
    return make('p', { class: 'notice' }, texts.join(' '), ' Everything is in trace.json beside this page.');
  }

  function makeHelp() {
    return make('details', { class: 'columns' }, make('summary', null, 'Keys and mouse'),
      make('dl', null, HELP.map(([keys, what]) => [make('dt', null, keys), make('dd', null, what)])));
  }

  function build(state, timeline, title) {
    state.canvas = make('canvas', {
      tabindex: '0', role: 'application', 'aria-label': 'Timeline of ' + opprof.format.count(timeline.facts.spans, 'span') +
        '. Arrow keys choose spans, W and S zoom, A and D move. The table below has the same spans by name.',
    });
    state.context = state.canvas.getContext('2d', { alpha: false });
    state.spacer = make('div', { class: 'spacer' }, state.canvas);
    state.viewport = make('div', { class: 'viewport', scroll: () => redraw(state) }, state.spacer);
    state.tip = make('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
    state.frame = make('div', { class: 'timeline' }, state.viewport, state.tip);
    state.status = make('span', { class: 'count' });
    state.said = make('span', { class: 'found', role: 'status' });
    state.details = make('div', { class: 'details' });
    state.sums = make('section', { class: 'card' });
    const tools = makeTools(state, title);
    return make('div', null, make('section', { class: 'card' }, tools, state.frame, make('div', { class: 'below' }, state.status), state.details,
      tellJoined(timeline.facts), makeHelp()), state.sums);
  }

  function listen(state) {
    const tell = (isDone) => {
      state.tip.hidden = true;
      changed(state, isDone);
    };
    opprof.timelineKeys.listenToKeys(state.canvas, state.view, tell);
    opprof.timelineKeys.listenToWheel(state.canvas, state.view, tell);
    opprof.timelineKeys.listenToPointers(state.canvas, state.view, {
      selects: () => state.selects, hover: (x, y) => hover(state, x, y), click: (x, y) => click(state, x, y), changed: tell,
    });
    opprof.theme.onChange(() => {
      state.view.colours = opprof.timelinePaint.palette();
      redraw(state);
    });
    new ResizeObserver(() => redraw(state)).observe(state.viewport);
  }

  /* Tall enough for its contents, within reason. It does not shrink again: what is below would jump. */
  function fitHeight(state) {
    const wanted = state.view.layout.height + opprof.timelinePaint.RULER + 2;
    if (wanted <= state.fitted) {
      return;
    }
    state.fitted = wanted;
    state.viewport.style.height = 'min(' + Math.max(wanted, 160) + 'px, 68vh)';
  }

  let current = null;

  function create(report) {
    const timeline = report.timeline;
    if (timeline === null) {
      return null;
    }
    const state = { view: new opprof.timelineView.View(timeline), gap: null, fitted: 0, isWaiting: false, selects: false, frames: 0, summed: undefined, shownSpan: undefined };
    state.view.fills = opprof.timelinePaint.makeFills(timeline);
    state.view.colours = opprof.timelinePaint.palette();
    const element = build(state, timeline, report.run.title);
    listen(state);
    current = state;
    return element;
  }

  /* Sums take a moment, so they are computed when first shown. */
  function shown() {
    if (current.summed === undefined) {
      changed(current, true);
    }
    redraw(current);
  }

  const AROUND = 0.01; /* share of the timeline before and after a moment */

  /* Show a process at a moment, in microseconds of the run's clock. */
  function reveal(process, start) {
    const view = current.view;
    const time = start * 1e6 - view.timeline.facts.first;
    const line = view.layout.lines.find((one) => one.kind === 'process' && one.label === process);
    view.set(time - AROUND * view.timeline.length, time + AROUND * view.timeline.length);
    if (line !== undefined) {
      window.requestAnimationFrame(() => { current.viewport.scrollTop = line.top; });
    }
    redraw(current);
  }

  return { id: 'timeline', title: 'Timeline', create, shown, reveal, state: () => current, drawNow: () => draw(current) };
}());
