/* SPDX-License-Identifier: Apache-2.0 */
/* The memory map of a block: memories and units, and the traffic on each path between them. */
opprof.memory = (function () {
  const make = opprof.elements.make;
  const svg = opprof.elements.makeSvg;
  const TYPE = 'view.storage-map';
  const UNIT_OF = { Cube: 'Cube', Vector: 'Vector', Vector1: 'Vector 1' };
  const COLUMN = 205;
  const ROW = 88;
  const BOX = { width: 104, height: 46 };
  const EDGE = 30;
  const ASIDE = 10; /* distance of two paths between the same boxes from the line between their centres */

  function number(text) {
    const value = Number(text);
    return text === null || text === '' || Number.isNaN(value) ? null : value;
  }

  function newBlock(cell) {
    return { label: [cell.launch, cell.group === null ? 'all' : 'block ' + cell.group].filter((text) => text).join(', '), paths: new Map(), units: {}, facts: {}, advice: [] };
  }

  function addCell(block, cell) {
    if (cell.table === null) {
      if (cell.column === 'advice') {
        block.advice.push(cell.value);
      } else {
        block.facts[cell.column] = cell.value;
      }
      return;
    }
    if (cell.table !== 'memory_unit') {
      block.units[cell.table] = block.units[cell.table] || {};
      block.units[cell.table][cell.column] = cell.value;
      return;
    }
    if (!block.paths.has(cell.row)) {
      block.paths.set(cell.row, { name: cell.row });
    }
    const path = block.paths.get(cell.row);
    path[cell.column] = cell.value;
    path.unit = cell.column === 'bandwidth' ? cell.unit : path.unit;
  }

  function blocksOf(report) {
    const blocks = new Map();
    for (const view of opprof.data.tablesOf(report, TYPE)) {
      for (const cell of opprof.cells.list(view)) {
        const key = JSON.stringify([cell.launch, cell.group]);
        if (!blocks.has(key)) {
          blocks.set(key, newBlock(cell));
        }
        addCell(blocks.get(key), cell);
      }
    }
    return Array.from(blocks.values()).filter((block) => block.paths.size > 0)
      .sort((a, b) => opprof.filter.compare(a.label, b.label));
  }

  /* The paths that can be drawn, without those that a more specific one replaces. */
  function shownPaths(block) {
    const there = new Set(Array.from(block.paths.values()).map((path) => path.name));
    const special = opprof.memoryPaths.SPECIAL;
    return Array.from(block.paths.values()).filter((path) => opprof.memoryPaths.PATHS[path.name] !== undefined &&
      !(special[path.name] || []).some((one) => there.has(one)));
  }

  function centre(name) {
    const [column, row] = opprof.memoryPaths.PLACES[name];
    return { x: EDGE + BOX.width / 2 + column * COLUMN, y: EDGE + BOX.height / 2 + row * ROW };
  }

  /* How far along a path from a box's centre the box ends. */
  function leaves(middle, point, way) {
    const along = (room, aside, step) => (step === 0 ? Infinity : (Math.sign(step) * room - aside) / step);
    return Math.min(along(BOX.width / 2, point.x - middle.x, way.x), along(BOX.height / 2, point.y - middle.y, way.y));
  }

  /* Two paths between the same boxes run side by side. */
  function ends(path, paths) {
    const [from, to] = opprof.memoryPaths.PATHS[path.name];
    const a = centre(from);
    const b = centre(to);
    const hasReturn = paths.some((other) => {
      const [back, forth] = opprof.memoryPaths.PATHS[other.name];
      return back === to && forth === from;
    });
    const way = { x: b.x - a.x, y: b.y - a.y };
    const length = Math.hypot(way.x, way.y);
    const aside = hasReturn ? ASIDE / length : 0;
    const start = { x: a.x - way.y * aside, y: a.y + way.x * aside };
    const end = { x: b.x - way.y * aside, y: b.y + way.x * aside };
    const first = leaves(a, start, way);
    const last = 1 - leaves(b, end, { x: -way.x, y: -way.y });
    const at = (share) => ({ x: start.x + way.x * share, y: start.y + way.y * share });
    return { start: at(first), end: at(last), hasReturn };
  }

  function describe(path) {
    const [from, to] = opprof.memoryPaths.PATHS[path.name];
    const peak = number(path.peak_ratio);
    return (opprof.memoryPaths.NOTES[path.name] || from + ' to ' + to) + ': ' + opprof.format.value(path.bandwidth, path.unit || 'GiB/s') +
      (peak === null ? '' : ', ' + opprof.format.number(peak, 3) + ' % of its peak') + ', ' + opprof.format.value(path.request) + ' requests ' +
      (path.suffix || '');
  }

  function makePath(path, paths, most) {
    const bandwidth = number(path.bandwidth);
    const { start, end, hasReturn } = ends(path, paths);
    const level = bandwidth === null || most === 0 ? 0 : bandwidth / most;
    const isIdle = bandwidth === null || bandwidth === 0;
    const along = hasReturn ? 0.35 : 0.5; /* keeps the numbers of two paths apart */
    const x = start.x + (end.x - start.x) * along;
    const y = start.y + (end.y - start.y) * along;
    const text = bandwidth === null ? 'n/a' : opprof.format.number(bandwidth, 3);
    const width = 8 + text.length * 6.6;
    return svg('g', { class: 'path' + (isIdle ? ' idle' : '') }, svg('title', null, describe(path)),
      svg('line', { x1: start.x, y1: start.y, x2: end.x, y2: end.y, 'stroke-width': (1.2 + 3.4 * Math.sqrt(level)).toFixed(2), 'marker-end': isIdle ? 'url(#tip-idle)' : 'url(#tip)' }),
      svg('rect', { x: x - width / 2, y: y - 9, width, height: 18, rx: 4 }),
      svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, text));
  }

  function unitText(block, name) {
    if (name === 'L2' && block.units.L2cache) {
      const rate = number(block.units.L2cache.hit_ratio);
      return rate === null ? null : 'hits ' + opprof.format.number(rate, 3) + ' %';
    }
    const unit = Object.keys(UNIT_OF).find((key) => UNIT_OF[key] === name);
    const ratio = unit !== undefined && block.units[unit] ? number(block.units[unit].ratio) : null;
    return ratio === null ? null : 'busy ' + opprof.format.number(ratio, 3) + ' %';
  }

  function makeBox(block, name) {
    const at = centre(name);
    const text = unitText(block, name);
    return svg('g', { class: 'box' },
      svg('rect', { x: at.x - BOX.width / 2, y: at.y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: 6 }),
      svg('text', { x: at.x, y: at.y + (text === null ? 5 : -2), 'text-anchor': 'middle', class: 'name' }, name),
      text === null ? null : svg('text', { x: at.x, y: at.y + 15, 'text-anchor': 'middle', class: 'fact' }, text));
  }

  function marker(id) {
    return svg('marker', { id, viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 13, markerHeight: 13, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0L10 5L0 10z' }));
  }

  function draw(block) {
    const paths = shownPaths(block);
    const names = Array.from(new Set(paths.reduce((list, path) => list.concat(opprof.memoryPaths.PATHS[path.name]), [])));
    const most = Math.max(0, ...paths.map((path) => number(path.bandwidth) || 0));
    const height = Math.max(...names.map((name) => centre(name).y)) + BOX.height / 2 + EDGE;
    const width = Math.max(...names.map((name) => centre(name).x)) + BOX.width / 2 + EDGE;
    return svg('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': 'Memory map of ' + block.label + '. The table below has its numbers.', class: 'map' },
      svg('defs', null, marker('tip'), marker('tip-idle')),
      names.map((name) => makeBox(block, name)), paths.map((path) => makePath(path, paths, most)));
  }

  function makeTable(block) {
    const columns = [['way', 'Path', ''], ['bandwidth', 'Bandwidth (GiB/s)', 'GiB/s'], ['peak_ratio', 'Share of its peak (%)', '%'], ['request', 'Requests', '']];
    const meanings = ['From where to where.', 'Bytes moved against the time of the block.', 'Compared with what the path can move.', 'Number of requests.'];
    return {
      title: 'Paths of ' + block.label, total: block.paths.size,
      fields: columns.map(([name, heading, unit], i) => ({
        name, heading, unit, meaning: meanings[i], flags: 0, isNumber: i > 0, isKey: i === 0, absent: 'a counter or a peak is missing',
      })),
      rows: Array.from(block.paths.values()).map((path) => [describe(path).split(':')[0]].concat(columns.slice(1).map(([name]) => number(path[name])))),
    };
  }

  function show(state, place) {
    const block = state.blocks[place];
    opprof.elements.empty(state.stage);
    state.stage.append(make('div', { class: 'scroll map-frame', tabindex: '0', role: 'region', 'aria-label': 'Memory map' }, draw(block)),
      make('p', { class: 'about' }, 'Numbers are GiB/s; the wider an arrow, the more it moves.'),
      block.advice.length === 0 ? '' : make('ul', { class: 'numbers' }, Array.from(new Set(block.advice), (text) => make('li', null, text))),
      opprof.table.create(makeTable(block)));
  }

  function create(report) {
    const blocks = blocksOf(report).filter((block) => shownPaths(block).length > 0);
    if (blocks.length === 0) {
      return null;
    }
    const state = { blocks, stage: make('div') };
    const select = make('select', { 'aria-label': 'Block', change: () => show(state, Number(select.value)) },
      blocks.map((block, place) => make('option', { value: place }, block.label)));
    show(state, 0);
    return make('section', { class: 'card' }, make('h2', null, 'Memory map'), opprof.data.tablesOf(report, TYPE).map(opprof.table.tellMissing),
      make('div', { class: 'tools' }, select), state.stage);
  }

  return { id: 'memory', title: 'Memory map', create };
}());
