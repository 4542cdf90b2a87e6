/* SPDX-License-Identifier: Apache-2.0 */
/* The visible part of the timeline: which times, which lines, what is selected. Knows no elements. */
opprof.timelineView = (function () {
  const SHORTEST = 1000; /* picoseconds across the window */
  const MARGIN = 0.02;

  class View {
    constructor(timeline) {
      this.timeline = timeline;
      this.from = 0;
      this.to = timeline.length;
      this.top = 0;
      this.width = 100;
      this.height = 100;
      this.gutter = 180;
      this.range = null;
      this.chosen = null;
      this.matched = null;
      this.matches = [];
      this.showsArrows = true;
      this.closed = new Set();
      this.document = null;
      this.showAll();
      this.level = this.levelInSight();
      this.layOut();
    }

    isWanted(lane) {
      return this.document === null || lane.document === this.document;
    }

    layOut() {
      this.layout = opprof.timelineLines.make(this.timeline, (lane) => this.isWanted(lane), this.closed, this.level);
    }

    levelInSight() {
      return opprof.timelineData.levelFor(this.timeline, (this.to - this.from) / Math.max(this.width - this.gutter, 1));
    }

    /* Before each drawing: other spans may need other rows. */
    useLevel() {
      const level = this.levelInSight();
      if (level !== this.level) {
        this.level = level;
        this.layOut();
      }
    }

    x(time) {
      return this.gutter + (time - this.from) / (this.to - this.from) * (this.width - this.gutter);
    }

    time(x) {
      return this.from + (x - this.gutter) / (this.width - this.gutter) * (this.to - this.from);
    }

    /* Lanes that are shown, or would be if their process was unfolded. */
    lanes() {
      const wanted = [];
      this.timeline.lanes.forEach((lane, number) => {
        if (this.isWanted(lane)) {
          wanted.push(number);
        }
      });
      return wanted;
    }

    set(from, to) {
      const longest = this.timeline.length * (1 + 2 * MARGIN);
      const length = Math.min(Math.max(to - from, SHORTEST), longest);
      const least = -this.timeline.length * MARGIN;
      const most = this.timeline.length * (1 + MARGIN) - length;
      this.from = Math.min(Math.max(from, least), most);
      this.to = this.from + length;
    }

    showAll() {
      this.set(-this.timeline.length * MARGIN, this.timeline.length * (1 + MARGIN));
    }

    zoom(factor, around) {
      const centre = around === undefined ? (this.from + this.to) / 2 : around;
      const length = (this.to - this.from) * factor;
      const share = (centre - this.from) / (this.to - this.from);
      this.set(centre - share * length, centre + (1 - share) * length);
    }

    pan(share) {
      const way = (this.to - this.from) * share;
      this.set(this.from + way, this.to + way);
    }

    show(start, end) {
      const room = Math.max((end - start) * 0.15, SHORTEST / 2);
      this.set(start - room, end + room);
    }

    span(lane, place) {
      const spans = this.timeline.finest.lanes.get(lane).spans;
      return {
        lane, place, start: spans.start[place], end: spans.end[place], name: spans.name[place], spans: spans.spans[place],
        share: spans.share[place], argument: spans.argument[place], row: spans.row[place],
      };
    }

    choose(lane, place) {
      this.chosen = this.span(lane, place);
      if (this.chosen.end < this.from || this.chosen.start > this.to) {
        const half = (this.to - this.from) / 2;
        const middle = (this.chosen.start + this.chosen.end) / 2;
        this.set(middle - half, middle + half);
      }
    }

    /* The span before or after the chosen one on its lane; the first visible one if none is chosen. */
    step(by) {
      if (this.chosen === null) {
        const line = this.layout.lines.find((one) => one.kind === 'lane');
        const lane = line === undefined ? undefined : this.timeline.finest.lanes.get(line.lane);
        if (lane === undefined || lane.spans.count === 0) {
          return;
        }
        this.choose(line.lane, lane.rows[0][Math.min(opprof.timelineData.firstAfter(lane.spans, lane.rows[0], this.from), lane.rows[0].length - 1)]);
        return;
      }
      const count = this.timeline.finest.lanes.get(this.chosen.lane).spans.count;
      this.choose(this.chosen.lane, Math.min(Math.max(this.chosen.place + by, 0), count - 1));
    }

    /* Moves to the lane above or below, near the same time. */
    stepLane(by) {
      const lanes = this.layout.lines.filter((line) => line.kind === 'lane');
      const now = this.chosen === null ? -1 : lanes.findIndex((line) => line.lane === this.chosen.lane);
      const next = lanes[Math.min(Math.max(now + by, 0), lanes.length - 1)];
      if (next === undefined) {
        return;
      }
      const lane = this.timeline.finest.lanes.get(next.lane);
      const time = this.chosen === null ? this.from : this.chosen.start;
      const place = Math.min(opprof.timelineData.firstAfter(lane.spans, lane.rows[0], time), lane.rows[0].length - 1);
      this.choose(next.lane, lane.rows[0][place]);
    }

    search(text) {
      this.matched = opprof.timelineSums.match(this.timeline.names, text);
      this.matches = this.matched === null ? [] : opprof.timelineSums.find(this.timeline, this.lanes(), this.matched);
      this.match = -1;
    }

    stepMatch(by) {
      if (this.matches.length === 0) {
        return;
      }
      if (this.match < 0) {
        const next = this.matches.findIndex((found) => found.start >= this.from);
        this.match = next < 0 ? 0 : by > 0 ? next : (next + this.matches.length - 1) % this.matches.length;
      } else {
        this.match = (this.match + by + this.matches.length) % this.matches.length;
      }
      const found = this.matches[this.match];
      this.choose(found.lane, found.place);
    }

    /* The span, or the sample of a curve, at a point. */
    at(x, y) {
      const line = y < opprof.timelinePaint.RULER ? null : opprof.timelineLines.at(this.layout, y - opprof.timelinePaint.RULER + this.top);
      if (line === null || (x < this.gutter && line.kind !== 'process')) {
        return null;
      }
      if (line.kind === 'lane') {
        return this.spanAt(line, x, y);
      }
      return line.kind === 'curve' ? this.sampleAt(line, x) : { kind: 'process', line };
    }

    spanAt(line, x, y) {
      const lane = this.timeline.finest.lanes.get(line.lane);
      const row = Math.floor((y - opprof.timelinePaint.RULER + this.top - line.top - 3) / opprof.timelineLines.ROW);
      const near = this.time(x + 2) - this.time(x);
      const time = this.time(x);
      const places = lane.rows[row];
      if (places === undefined) {
        return null;
      }
      const first = opprof.timelineData.firstAfter(lane.spans, places, time - near);
      if (first === places.length || lane.spans.start[places[first]] > time + near) {
        return null;
      }
      return { kind: 'span', line, span: this.span(line.lane, places[first]) };
    }

    /* The time around a point in which a lane has nothing, and what comes before and after it; null beyond its ends. */
    gapAt(x, y) {
      const line = y < opprof.timelinePaint.RULER || x < this.gutter ? null : opprof.timelineLines.at(this.layout, y - opprof.timelinePaint.RULER + this.top);
      if (line === null || line.kind !== 'lane') {
        return null;
      }
      const time = this.time(x);
      const { spans, rows } = this.timeline.finest.lanes.get(line.lane);
      let [before, after] = [-1, -1];
      for (const row of rows) {
        const next = opprof.timelineData.firstAfter(spans, row, time);
        if (next < row.length && (after < 0 || spans.start[row[next]] < spans.start[after])) {
          after = row[next];
        }
        if (next > 0 && (before < 0 || spans.end[row[next - 1]] > spans.end[before])) {
          before = row[next - 1];
        }
      }
      return before < 0 || after < 0 || spans.start[after] <= time ? null : { kind: 'gap', lane: line.lane, before: this.span(line.lane, before), after: this.span(line.lane, after) };
    }

    sampleAt(line, x) {
      const sample = opprof.timelineData.sampleAt(line.curve, this.time(x));
      return sample < 0 ? null : { kind: 'sample', line, curve: line.curve, sample };
    }
  }

  return { View };
}());
