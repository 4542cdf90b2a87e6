/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and pointers of the timeline: each action becomes a change of the view. */
opprof.timelineKeys = (function () {
  const ZOOM = 0.7;
  const PAN = 0.15;
  const CLICK = 4; /* pixels that the pointer may move during a click */

  const KEYS = {
    w: (view) => view.zoom(ZOOM), '+': (view) => view.zoom(ZOOM), '=': (view) => view.zoom(ZOOM),
    s: (view) => view.zoom(1 / ZOOM), '-': (view) => view.zoom(1 / ZOOM),
    a: (view) => view.pan(-PAN), d: (view) => view.pan(PAN),
    ArrowLeft: (view) => view.step(-1), ArrowRight: (view) => view.step(1),
    ArrowUp: (view) => view.stepLane(-1), ArrowDown: (view) => view.stepLane(1),
    Home: (view) => view.showAll(), 0: (view) => view.showAll(),
    n: (view) => view.stepMatch(1), p: (view) => view.stepMatch(-1),
    f: (view) => {
      const [start, end] = view.range || (view.chosen === null ? [0, view.timeline.length] : [view.chosen.start, view.chosen.end]);
      view.show(start, end);
    },
    Escape: (view) => {
      view.range = null;
      view.chosen = null;
    },
  };

  function listenToKeys(canvas, view, changed) {
    canvas.addEventListener('keydown', (event) => {
      const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      event.preventDefault();
      act(view);
      changed(true);
    });
  }

  /* The wheel scrolls the lines; with Ctrl it zooms at the pointer, with Shift or sideways it pans. */
  function listenToWheel(canvas, view, changed) {
    canvas.addEventListener('wheel', (event) => {
      if (event.ctrlKey || event.metaKey) {
        view.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.004))), view.time(event.offsetX));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        view.pan((event.deltaX || event.deltaY) / view.width);
      } else {
        return;
      }
      event.preventDefault();
      changed(false);
    }, { passive: false });
  }

  function middle(points) {
    const list = Array.from(points.values());
    return { x: (list[0].x + list[1].x) / 2, gap: Math.max(Math.abs(list[0].x - list[1].x), 8) };
  }

  /* One pointer pans or, with Shift or in selection mode, selects; two zoom. */
  function listenToPointers(canvas, view, actions) {
    const points = new Map();
    let begin = null;

    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) {
        return;
      }
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      points.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      begin = { x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, selects: event.shiftKey || actions.selects(), moved: false };
      begin.pinch = points.size === 2 ? middle(points) : null;
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!points.has(event.pointerId)) {
        actions.hover(event.offsetX, event.offsetY);
        return;
      }
      points.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      if (points.size === 2) {
        const now = middle(points);
        view.zoom(begin.pinch.gap / now.gap, view.time(now.x));
        begin.pinch = now;
      } else {
        drag(event.offsetX);
      }
      begin.moved = begin.moved || points.size === 2 || Math.abs(event.offsetX - begin.x) > CLICK;
      actions.changed(false);
    });
    function drag(x) {
      if (Math.abs(x - begin.x) <= CLICK && !begin.moved) {
        return;
      }
      if (begin.selects) {
        const times = [view.time(begin.x), view.time(x)].sort((a, b) => a - b);
        view.range = [Math.max(times[0], 0), Math.min(times[1], view.timeline.length)];
        return;
      }
      const way = (begin.x - x) / (view.width - view.gutter) * (begin.to - begin.from);
      view.set(begin.from + way, begin.to + way);
    }
    function release(event) {
      if (!points.delete(event.pointerId) || points.size > 0) {
        return;
      }
      if (!begin.moved && event.type === 'pointerup') {
        actions.click(begin.x, begin.y);
      } else if (begin.selects) {
        actions.changed(true);
      }
    }
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('pointerleave', () => actions.hover(-1, -1));
  }

  return { listenToKeys, listenToWheel, listenToPointers };
}());
