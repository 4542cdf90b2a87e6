/* SPDX-License-Identifier: Apache-2.0 */
/* The arrows of the timeline: which of them are drawn, and which are of a span. */
opprof.timelineArrows = (function () {
  const ALL_MAX = 300; /* more at once are a tangle */

  function makePlaces(view) {
    const places = new Map();
    for (const line of view.layout.lines) {
      if (line.kind === 'lane') {
        places.set(line.lane, line);
      }
    }
    return places;
  }

  /* The innermost span of a lane at a time, as its place and row; null: none. */
  function innermost(timeline, lane, time) {
    const { spans, rows } = timeline.finest.lanes.get(lane);
    for (let row = rows.length - 1; row >= 0; row--) {
      const at = opprof.timelineData.firstAfter(spans, rows[row], time);
      /* Of two that meet the later one. */
      for (const place of [rows[row][at + 1], rows[row][at]]) {
        if (place !== undefined && spans.start[place] <= time) {
          return { place, row };
        }
      }
    }
    return null;
  }

  function yOf(view, line, time) {
    const found = line.rows > 1 ? innermost(view.timeline, line.lane, time) : null;
    const row = found === null ? 0 : Math.min(found.row, line.rows - 1);
    return opprof.timelinePaint.RULER + line.top - view.top + 3 + row * opprof.timelineLines.ROW + (opprof.timelineLines.ROW - 2) / 2;
  }

  function paintArrow(view, context, places, i) {
    const arrows = view.timeline.arrows;
    const [x1, x2] = [view.x(arrows.from[i]), view.x(arrows.to[i])];
    const [y1, y2] = [yOf(view, places.get(arrows.fromLane[i]), arrows.from[i]), yOf(view, places.get(arrows.toLane[i]), arrows.to[i])];
    const bend = Math.max(Math.min(Math.abs(x2 - x1) / 2, 60), 12);
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    context.moveTo(x2 - 5, y2 - 3);
    context.lineTo(x2, y2);
    context.lineTo(x2 - 5, y2 + 3);
  }

  function isWithin(span, lane, time) {
    return lane === span.lane && time >= span.start && time <= span.end;
  }

  /* Numbers of the visible arrows, and of those of the chosen span; of many only the count. */
  function inSight(view, places) {
    const arrows = view.timeline.arrows;
    const chosen = view.chosen;
    const seen = [];
    const own = [];
    let count = 0;
    for (let i = 0; view.showsArrows && i < arrows.count; i++) {
      if (Math.max(arrows.from[i], arrows.to[i]) < view.from || Math.min(arrows.from[i], arrows.to[i]) > view.to ||
          !places.has(arrows.fromLane[i]) || !places.has(arrows.toLane[i])) {
        continue;
      }
      count++;
      if (count <= ALL_MAX) {
        seen.push(i);
      }
      if (chosen !== null && own.length < ALL_MAX &&
          (isWithin(chosen, arrows.fromLane[i], arrows.from[i]) || isWithin(chosen, arrows.toLane[i], arrows.to[i]))) {
        own.push(i);
      }
    }
    return { seen: count > ALL_MAX ? [] : seen, own, count };
  }

  function stroke(view, context, places, list, colour, alpha) {
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    context.beginPath();
    for (const i of list) {
      paintArrow(view, context, places, i);
    }
    context.stroke();
  }

  /* Returns how many of the visible ones were left out. */
  function paint(view, context) {
    const places = makePlaces(view);
    const { seen, own, count } = inSight(view, places);
    context.save();
    context.beginPath();
    context.rect(view.gutter, opprof.timelinePaint.RULER, view.width - view.gutter, view.height - opprof.timelinePaint.RULER);
    context.clip();
    stroke(view, context, places, seen, view.colours.arrow, seen.length > 100 || own.length > 0 ? 0.35 : 0.85);
    context.lineWidth = 2;
    stroke(view, context, places, own, view.colours.select, 1);
    context.restore();
    return count > ALL_MAX ? count - own.length : 0;
  }

  /* The other ends of the arrows that lead into a span, and out of it, as lane, place and time; the first ones. */
  function ofSpan(timeline, span, most) {
    const arrows = timeline.arrows;
    const ends = { into: [], out: [], outCount: 0 };
    const end = (lane, time) => ({ lane, time, found: timeline.finest.lanes.has(lane) ? innermost(timeline, lane, time) : null });
    for (let i = 0; i < arrows.count; i++) {
      if (isWithin(span, arrows.toLane[i], arrows.to[i]) && ends.into.length < most) {
        ends.into.push(end(arrows.fromLane[i], arrows.from[i]));
      }
      if (isWithin(span, arrows.fromLane[i], arrows.from[i])) {
        ends.outCount++;
        if (ends.out.length < most) {
          ends.out.push(end(arrows.toLane[i], arrows.to[i]));
        }
      }
    }
    return ends;
  }

  return { paint, ofSpan };
}());
