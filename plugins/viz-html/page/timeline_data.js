/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks spans, arrows and curves, and finds them. Times are picoseconds after the first of all. A
 * level has lanes, a lane has rows, and the spans of a row follow one another, so that they can be
 * searched.
 */
opprof.timelineData = (function () {
  const IS_JOINT = 1;
  const HAS_ARGUMENTS = 2;
  const ROWS_MAX = 24;

  function bytesOf(name) {
    const element = document.getElementById('data-' + name);
    const text = element === null ? '' : window.atob(element.textContent.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
      bytes[i] = text.charCodeAt(i);
    }
    return bytes;
  }

  /* Reads numbers of seven bits a byte; bit shifts do not work beyond 32 bits. */
  class Reader {
    constructor(bytes, at) {
      this.bytes = bytes;
      this.at = at;
    }

    number() {
      let value = 0;
      let scale = 1;
      for (;;) {
        const byte = this.bytes[this.at++];
        value += (byte & 0x7f) * scale;
        if (byte < 0x80) {
          return value;
        }
        scale *= 128;
      }
    }

    signed() {
      const value = this.number();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }

  function newSpans(count) {
    return {
      count, start: new Float64Array(count), end: new Float64Array(count), name: new Uint32Array(count), spans: new Uint32Array(count),
      share: new Uint16Array(count), argument: new Int32Array(count), row: new Uint8Array(count),
    };
  }

  function readSpans(reader, count, unit, origin) {
    const spans = newSpans(count);
    let start = origin;
    for (let i = 0; i < count; i++) {
      start += reader.number() * unit;
      const duration = reader.number() * unit;
      const code = reader.number();
      const flags = code % 4;
      spans.start[i] = start;
      spans.end[i] = start + duration;
      spans.name[i] = (code - flags) / 4;
      spans.spans[i] = flags & IS_JOINT ? reader.number() : 1;
      spans.share[i] = flags & IS_JOINT ? reader.number() : 1000;
      spans.argument[i] = flags & HAS_ARGUMENTS ? reader.number() : -1;
    }
    return spans;
  }

  /*
   * Puts each span into the first free row; overlapping spans go below. Joint spans are drawn
   * blurred, and occupy no row.
   */
  function assignRows(spans) {
    const ends = [];
    for (let i = 0; i < spans.count; i++) {
      let row = 0;
      while (row < ends.length && ends[row] > spans.start[i] && row < ROWS_MAX - 1) {
        row++;
      }
      const end = spans.spans[i] > 1 ? spans.start[i] : spans.end[i];
      ends[row] = Math.max(end, ends[row] === undefined ? -Infinity : ends[row]);
      spans.row[i] = row;
    }
    return ends.length;
  }

  /* Places of spans, row by row. */
  function makeRows(spans) {
    const count = assignRows(spans);
    const sizes = new Uint32Array(count);
    for (let i = 0; i < spans.count; i++) {
      sizes[spans.row[i]]++;
    }
    const rows = Array.from(sizes, (size) => new Uint32Array(size));
    const used = new Uint32Array(count);
    for (let i = 0; i < spans.count; i++) {
      const row = spans.row[i];
      rows[row][used[row]++] = i;
    }
    return rows;
  }

  function readLevel(facts, number) {
    const level = facts.levels[number];
    const bytes = bytesOf('level-' + number);
    const lanes = new Map();
    let at = 0;
    for (let i = 0; i < level.lanes.length; i += 3) {
      const [lane, count, length] = level.lanes.slice(i, i + 3);
      const spans = readSpans(new Reader(bytes, at), count, facts.unit, facts.origin - facts.first);
      lanes.set(lane, { spans, rows: makeRows(spans) });
      at += length;
    }
    return { grain: level.grain, lanes };
  }

  function readArrows(facts) {
    const reader = new Reader(bytesOf('arrows'), 0);
    const count = facts.arrow_count;
    const arrows = {
      count, from: new Float64Array(count), to: new Float64Array(count), fromLane: new Uint32Array(count), toLane: new Uint32Array(count),
    };
    let from = facts.origin - facts.first;
    for (let i = 0; i < count; i++) {
      from += reader.signed() * facts.unit;
      arrows.from[i] = from;
      arrows.to[i] = from + reader.signed() * facts.unit;
      arrows.fromLane[i] = reader.number();
      arrows.toLane[i] = reader.number();
    }
    return arrows;
  }

  function readCurve(curve, names, first) {
    const width = curve.joined > 1 ? 3 : 2;
    const count = curve.samples.length / width;
    const result = {
      lane: curve.lane, name: names[curve.name], series: names[curve.series], joined: curve.joined, count,
      time: new Float64Array(count), low: new Float64Array(count), high: new Float64Array(count), least: 0, most: 0,
    };
    let time = -first;
    for (let i = 0; i < count; i++) {
      time += curve.samples[i * width];
      result.time[i] = time;
      result.low[i] = curve.samples[i * width + 1];
      result.high[i] = curve.samples[i * width + width - 1];
      result.least = Math.min(result.least, result.low[i]);
      result.most = Math.max(result.most, result.high[i]);
    }
    return result;
  }

  /* Everything except the coarser levels, which are unpacked when first needed. */
  function read(names) {
    const facts = opprof.data.parse('timeline', null);
    if (facts === null) {
      return null;
    }
    const levels = facts.levels.map(() => null);
    const level = (number) => {
      levels[number] = levels[number] || readLevel(facts, number);
      return levels[number];
    };
    return {
      facts, names, level, finest: level(0), arrows: readArrows(facts),
      lanes: facts.lanes, curves: facts.curves.map((curve) => readCurve(curve, names, facts.first)),
      arguments: opprof.data.parse('arguments', []), length: Math.max(facts.last - facts.first, 1),
    };
  }

  /* The coarsest level that still shows spans two pixels wide. */
  function levelFor(timeline, point) {
    let chosen = 0;
    timeline.facts.levels.forEach((level, number) => {
      if (level.grain <= 2 * point) {
        chosen = number;
      }
    });
    return timeline.level(chosen);
  }

  /* First place in a row whose span ends after a time. */
  function firstAfter(spans, row, time) {
    let low = 0;
    let high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans.end[row[middle]] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /* Last sample of a curve that is not after a time; -1 before the first. */
  function sampleAt(curve, time) {
    let low = 0;
    let high = curve.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (curve.time[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /* Pairs of name and value. */
  function argumentsOf(timeline, number) {
    const list = number < 0 ? [] : timeline.arguments[number] || [];
    const pairs = [];
    for (let i = 0; i + 1 < list.length; i += 2) {
      const value = list[i + 1];
      pairs.push([timeline.names[list[i]], Array.isArray(value) ? timeline.names[value[0]] : value]);
    }
    return pairs;
  }

  function documents(timeline) {
    return Array.from(new Set(timeline.lanes.map((lane) => lane.document))).sort((a, b) => opprof.filter.compare(a, b));
  }

  /* The document that contains everything, if others repeat parts of it; null: all of them belong together. */
  function mainDocument(timeline) {
    const names = documents(timeline);
    return names.length > 1 && names.includes('trace') ? 'trace' : null;
  }

  return { read, documents, mainDocument, levelFor, firstAfter, sampleAt, argumentsOf };
}());
