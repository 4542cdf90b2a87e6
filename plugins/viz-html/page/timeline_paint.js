/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the visible part of the timeline. */
opprof.timelinePaint = (function () {
  const RULER = 26;
  const ROW = opprof.timelineLines.ROW;
  const TEXT_FROM = 34;
  const INK = '#14202c';
  const FILLS = ['#8fbce6', '#f2b880', '#93d1a5', '#d7a6dc', '#f1a3a0', '#8ed0d2', '#d9cb7a', '#b3aee8', '#c7d58a', '#e8a9c5', '#a9c3cf', '#dcb795'];
  const WAIT = '#c6ccd4';
  const FONT = '12px system-ui, "Noto Sans", "Liberation Sans", sans-serif';

  /* Names by the time that their spans take. */
  function rankNames(timeline) {
    const times = new Float64Array(timeline.names.length);
    for (const lane of timeline.finest.lanes.values()) {
      for (let i = 0; i < lane.spans.count; i++) {
        times[lane.spans.name[i]] += lane.spans.end[i] - lane.spans.start[i];
      }
    }
    return Array.from(times.keys()).sort((a, b) => times[b] - times[a] || (timeline.names[a] < timeline.names[b] ? -1 : 1));
  }

  /* As the bytes of an image, without the alpha. */
  function bytesOf(colour) {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return new Uint32Array(new Uint8Array([red, green, blue, 0]).buffer)[0];
  }

  /* Waits for flags, notices and events, barriers, and idle time. */
  function isWait(name) {
    return /(^|[^a-z])wait|^bar(rier)?([^a-z]|$)|synchroni[sz]e|^idle(_|$)/i.test(name);
  }

  /* A colour for each name; the names with most time have colours of their own. Waits are grey: nothing is done in them. */
  function makeFills(timeline) {
    const bytes = FILLS.map(bytesOf);
    const wait = bytesOf(WAIT);
    const fills = new Uint32Array(timeline.names.length);
    let rank = 0;
    for (const name of rankNames(timeline)) {
      fills[name] = isWait(timeline.names[name]) ? wait : bytes[rank++ % bytes.length];
    }
    return fills;
  }

  /* The alpha byte of a colour, on any machine. */
  function alphaBytes(alpha) {
    return new Uint32Array(new Uint8Array([0, 0, 0, Math.round(alpha * 255)]).buffer)[0];
  }

  const ALPHAS = Array.from({ length: 101 }, (_, percent) => alphaBytes(percent / 100));

  function palette() {
    const colour = opprof.theme.colour;
    return {
      card: colour('card'), ink: colour('ink'), soft: colour('soft'), line: colour('line'), fill: colour('fill'), accent: colour('accent'),
      select: colour('select'), arrow: colour('arrow'), curve: colour('curve'), heat: colour('heat'),
    };
  }

  /* 1, 2 or 5 times a power of ten, so that about `wanted` of them fill the time. */
  function tickStep(time, wanted) {
    const rough = time / Math.max(wanted, 1);
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const factor = [1, 2, 5, 10].find((step) => step * power >= rough);
    return factor * power;
  }

  function paintRuler(view, context, colours) {
    const step = tickStep(view.to - view.from, (view.width - view.gutter) / 120);
    context.fillStyle = colours.fill;
    context.fillRect(0, 0, view.width, RULER);
    context.strokeStyle = colours.line;
    context.fillStyle = colours.soft;
    context.beginPath();
    for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
      const x = Math.round(view.x(time)) + 0.5;
      context.moveTo(x, RULER - 6);
      context.lineTo(x, view.height);
      context.fillText(opprof.format.moment(Math.round(time), step), x + 4, 17);
    }
    context.stroke();
  }

  const widths = new Map();

  /* Widths of texts in the font of spans; measuring is slow. */
  function widthOf(context, text) {
    let width = widths.get(text);
    if (width === undefined) {
      width = context.measureText(text).width;
      widths.set(text, width);
    }
    return width;
  }

  function cutText(context, text, width) {
    const full = widthOf(context, text);
    if (full <= width) {
      return text;
    }
    const length = Math.floor(text.length * (width - 10) / full);
    return length < 2 ? '' : text.slice(0, length) + '…';
  }

  /*
   * The spans of all visible rows, one row of pixels each: setting pixels is many times faster than
   * filling that many rectangles. Rows are then drawn at their full height.
   */
  const strips = { canvas: null, image: null, points: null };

  function makeStrips(width, rows) {
    if (strips.image === null || strips.image.width !== width || strips.image.height < rows) {
      strips.canvas = document.createElement('canvas');
      strips.canvas.width = width;
      strips.canvas.height = rows;
      strips.image = strips.canvas.getContext('2d', { willReadFrequently: true }).createImageData(width, rows);
      strips.points = new Uint32Array(strips.image.data.buffer);
    }
    strips.points.fill(0);
  }

  /* Spans of one row; spans on pixels that are drawn already are skipped. */
  function setRow(view, { lane, spans }, row, first, y, texts) {
    const matched = view.matched;
    const gap = view.timeline.lanes[lane].thread === 'gaps' ? bytesOf(WAIT) : null; /* nothing is done in any of them */
    let drawn = -1;
    /* A joint span may reach into the next one, so the search may be one too far. */
    for (let i = Math.max(opprof.timelineData.firstAfter(spans, row, view.from) - 1, 0); i < row.length; i++) {
      const place = row[i];
      if (spans.end[place] < view.from) {
        continue;
      }
      if (spans.start[place] > view.to) {
        break;
      }
      const start = Math.max(Math.round(view.x(spans.start[place])), view.gutter);
      const right = Math.min(Math.max(Math.round(view.x(spans.end[place])), start + 1), view.width);
      if (right <= drawn || right <= start) {
        continue;
      }
      const left = Math.max(start, drawn);
      const width = right - left;
      const name = spans.name[place];
      const isFaint = matched !== null && matched[name] === 0;
      const percent = isFaint ? 18 : spans.spans[place] > 1 ? 40 + Math.round(0.06 * spans.share[place]) : 100;
      strips.points.fill((gap === null ? view.fills[name] : gap) + ALPHAS[percent], first + left, first + (width > 3 ? right - 1 : right));
      drawn = right;
      if (width >= TEXT_FROM && !isFaint) {
        texts.push([view.timeline.names[name], width - 8, left + 4, y + 12.5]);
      }
    }
  }

  /* Where the rows of visible lanes are drawn. */
  function placeRows(view, level, lines) {
    const places = [];
    for (const line of lines) {
      const lane = line.kind === 'lane' ? level.lanes.get(line.lane) : undefined;
      const rows = lane === undefined ? 0 : Math.min(lane.rows.length, line.rows);
      for (let row = 0; row < rows; row++) {
        const y = RULER + line.top - view.top + 3 + row * ROW;
        if (y < view.height && y + ROW > RULER) {
          places.push({ y, lane: Object.assign({ lane: line.lane }, lane), row });
        }
      }
    }
    return places;
  }

  function paintLanes(view, context, level, lines) {
    const width = Math.max(Math.ceil(view.width), 1);
    const places = placeRows(view, level, lines);
    const texts = [];
    if (places.length === 0) {
      return;
    }
    makeStrips(width, places.length);
    places.forEach(({ y, lane, row }, number) => setRow(view, lane, lane.rows[row], number * width, y, texts));
    strips.canvas.getContext('2d').putImageData(strips.image, 0, 0, 0, 0, width, places.length);
    context.imageSmoothingEnabled = false;
    places.forEach(({ y }, number) => context.drawImage(strips.canvas, 0, number, width, 1, 0, y, width, ROW - 2));
    context.fillStyle = INK;
    for (const [text, room, x, y] of texts) {
      context.fillText(cutText(context, text, room), x, y);
    }
  }

  /* The highest value of a curve at each pixel, so that no peak is too narrow to be seen; below 0: no value. */
  function peaksOf(view, curve, scale) {
    const peaks = new Float32Array(Math.max(view.width, 1)).fill(-1);
    for (let i = Math.max(opprof.timelineData.sampleAt(curve, view.from), 0); i < curve.count && curve.time[i] <= view.to; i++) {
      const end = i + 1 < curve.count ? curve.time[i + 1] : view.timeline.length;
      const left = Math.max(Math.floor(view.x(curve.time[i])), view.gutter);
      const right = Math.min(Math.max(Math.floor(view.x(end)), left + 1), view.width);
      const height = Math.max((curve.high[i] - curve.least) * scale, 0.7);
      for (let x = left; x < right; x++) {
        peaks[x] = Math.max(peaks[x], height);
      }
    }
    return peaks;
  }

  function paintCurve(view, context, colours, line, y) {
    const curve = line.curve;
    const height = line.height - 10;
    const peaks = peaksOf(view, curve, height / ((curve.most - curve.least) || 1));
    context.fillStyle = colours.curve;
    context.globalAlpha = 0.75;
    for (let x = view.gutter; x < peaks.length;) {
      const first = x;
      while (x < peaks.length && peaks[x] === peaks[first]) {
        x++;
      }
      if (peaks[first] > 0) {
        context.fillRect(first, y + 5 + height - peaks[first], x - first, peaks[first]);
      }
    }
    context.globalAlpha = 1;
  }

  function paintLabels(view, context, colours, line, y) {
    context.fillStyle = colours.card;
    context.fillRect(0, y, view.gutter, line.height);
    context.fillStyle = colours.ink;
    const curve = line.curve;
    context.fillText(cutText(context, line.label, view.gutter - 24), 18, y + 16);
    if (curve !== undefined) {
      context.fillStyle = colours.soft;
      context.fillText(cutText(context, curve.series, view.gutter - 24), 18, y + 30);
    }
  }

  function paintProcess(view, context, colours, line, y) {
    context.fillStyle = colours.fill;
    context.fillRect(0, y, view.width, line.height);
    context.fillStyle = colours.ink;
    context.font = '600 ' + FONT;
    context.fillText((line.isClosed ? '▸ ' : '▾ ') + line.label, 6, y + 16);
    context.font = FONT;
  }

  function paintLine(view, context, colours, line) {
    const y = RULER + line.top - view.top;
    if (line.kind === 'process') {
      paintProcess(view, context, colours, line, y);
      return;
    }
    if (line.kind === 'curve') {
      paintCurve(view, context, colours, line, y);
    }
    paintLabels(view, context, colours, line, y);
    context.fillStyle = colours.line;
    context.fillRect(0, y + line.height - 1, view.width, 1);
    context.fillRect(view.gutter - 1, y, 1, line.height);
  }

  function paintRange(view, context, colours) {
    if (view.range === null) {
      return;
    }
    const left = Math.max(view.x(view.range[0]), view.gutter);
    const right = Math.min(view.x(view.range[1]), view.width);
    if (right <= left) {
      return;
    }
    context.fillStyle = 'rgba(' + colours.heat + ', .16)';
    context.fillRect(left, 0, right - left, view.height);
    context.strokeStyle = colours.accent;
    context.strokeRect(left + 0.5, 0.5, right - left - 1, view.height - 1);
  }

  function paintChosen(view, context, colours) {
    const chosen = view.chosen;
    const line = chosen === null ? undefined : view.layout.lines.find((one) => one.kind === 'lane' && one.lane === chosen.lane);
    if (line === undefined) {
      return;
    }
    const left = Math.max(view.x(chosen.start), view.gutter);
    const right = Math.min(view.x(chosen.end), view.width);
    const y = RULER + line.top - view.top + 3 + Math.min(chosen.row, line.rows - 1) * ROW;
    if (right < view.gutter || left > view.width) {
      return;
    }
    context.strokeStyle = colours.select;
    context.lineWidth = 2;
    context.strokeRect(left - 1, y - 1, Math.max(right - left, 2) + 2, ROW);
    context.lineWidth = 1;
  }

  /* The line to the right of the labels, above and below all lines: names of processes are longer than the room for labels. */
  function paintGutter(view, context, colours) {
    const end = RULER + view.layout.height - view.top;
    context.fillStyle = colours.line;
    context.fillRect(view.gutter - 1, 0, 1, RULER);
    context.fillRect(view.gutter - 1, end, 1, Math.max(view.height - end, 0));
  }

  /* Returns how many arrows were left out because there were too many. */
  function paint(view, context) {
    const colours = view.colours;
    const level = view.level;
    context.font = FONT;
    context.textBaseline = 'alphabetic';
    context.fillStyle = colours.card;
    context.fillRect(0, 0, view.width, view.height);
    const inSight = view.layout.lines.filter((line) => line.top + line.height > view.top && line.top < view.top + view.height - RULER);
    paintRuler(view, context, colours);
    paintLanes(view, context, level, inSight);
    for (const line of inSight) {
      paintLine(view, context, colours, line);
    }
    const leftOut = opprof.timelineArrows.paint(view, context);
    paintChosen(view, context, colours);
    context.clearRect(0, 0, view.gutter, RULER);
    context.fillStyle = colours.fill;
    context.fillRect(0, 0, view.gutter, RULER);
    paintRange(view, context, colours);
    paintGutter(view, context, colours);
    return leftOut;
  }

  return { paint, palette, makeFills, RULER };
}());
