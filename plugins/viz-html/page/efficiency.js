/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooflines of a framework's operators: a graph per device, a series per element type, a point per
 * operator of one shape.
 */
opprof.efficiency = (function () {
  const OPERATORS = 'trace.efficiency';
  const PEAKS = 'trace.device-peaks';
  const UNKNOWN = 'unknown device';
  const MOST = 1000; /* points of a graph; those that take most of the device's time */
  const LEAST_RADIUS = 3;
  const MOST_RADIUS = 12;

  /* Rows as objects, by the names of the columns; `row` is the row itself. */
  function rowsOf(report, type) {
    return opprof.data.tablesOf(report, type).reduce((list, table) => list.concat(table.rows.map((row) => {
      const named = { row };
      table.fields.forEach((field, column) => { named[field.name] = row[column]; });
      return named;
    })), []);
  }

  /* Cells are rounded for people: a small rate would be 0, which has no place on a logarithmic scale. */
  function withRates(operator) {
    return Object.assign(operator, { tflops: operator.flops * operator.count / operator.device_us / 1e6, intensity: operator.flops / operator.bytes });
  }

  function canBeDrawn(operator) {
    return operator.device_us > 0 && operator.bytes > 0 && operator.flops > 0;
  }

  function tell(operator) {
    const number = (value) => opprof.format.number(value, 4);
    const of = operator.percent === null ? '' : ', ' + number(operator.percent) + ' % of the roof (' + operator.bound + ')';
    return [operator.name + ' ' + operator.shape + ', rank ' + operator.rank,
      number(operator.tflops) + ' TFLOP/s at ' + number(operator.intensity) + ' operations a byte' + of,
      opprof.format.value(operator.device_us, 'us') + ' of the device in ' + number(operator.count) + (operator.count === 1 ? ' call' : ' calls')];
  }

  /* The area of a point is the operator's part of the device's time. */
  function pointOf(operator, most) {
    const radius = Math.max(LEAST_RADIUS, MOST_RADIUS * Math.sqrt(operator.device_us / most));
    return { x: operator.intensity, y: operator.tflops, radius, tell: tell(operator) };
  }

  function seriesOf(type, operators, peaks, most) {
    const peak = peaks.find((one) => one.type === type);
    const points = operators.filter((operator) => operator.type === type).map((operator) => pointOf(operator, most));
    return { name: type, points, peak: peak === undefined ? null : peak.flops, bandwidth: peak === undefined ? null : peak.bandwidth / 1e3 };
  }

  function notesOf(drawn, all, peaks) {
    const notes = Array.from(new Set(peaks.filter((peak) => peak.source !== null).map((peak) => peak.source)))
      .map((source) => 'Peaks: ' + source + '.');
    if (peaks.length === 0) {
      notes.push('The peaks of this device are unknown: the parameters device and peaks of trace-efficiency give them.');
    }
    if (drawn.length < all.length) {
      notes.push('The ' + drawn.length + ' of ' + all.length + ' operators and shapes that take most time are drawn.');
    }
    return notes;
  }

  function graphOf(device, all, peaks, table) {
    const drawn = all.slice().sort((a, b) => b.device_us - a.device_us).slice(0, MOST);
    const types = Array.from(new Set(drawn.map((operator) => operator.type)));
    return {
      title: 'Operators on ' + device, unit: 'TFLOP/s', notes: notesOf(drawn, all, peaks),
      series: types.map((type) => seriesOf(type, drawn, peaks, drawn[0].device_us)),
      table: Object.assign({}, table, { title: 'Operators on ' + device, rows: drawn.map((operator) => operator.row), total: all.length }),
    };
  }

  function graphs(report) {
    const operators = rowsOf(report, OPERATORS).filter(canBeDrawn).map(withRates);
    const nameOf = (row) => (row.device === null ? UNKNOWN : row.device);
    return Array.from(new Set(operators.map(nameOf))).map((device) => graphOf(device, operators.filter((one) => nameOf(one) === device),
      rowsOf(report, PEAKS).filter((peak) => peak.device === device), opprof.data.tablesOf(report, OPERATORS)[0]));
  }

  return { graphs, type: OPERATORS };
}());
