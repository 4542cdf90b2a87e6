/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and times as text. */
opprof.format = (function () {
  const TIMES = [[1e12, 's'], [1e9, 'ms'], [1e6, 'us'], [1e3, 'ns'], [1, 'ps']];

  /* Up to `digits` significant digits, with thousands separated by thin spaces. */
  function number(value, digits) {
    if (!Number.isFinite(value)) {
      return String(value);
    }
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e15)) {
      return value.toExponential(3);
    }
    if (Number.isInteger(value)) {
      return value.toLocaleString('en-US');
    }
    const before = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
    const decimals = Math.max(0, (digits || 6) - before);
    return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(decimals, 10) });
  }

  function time(picoseconds, digits) {
    const size = Math.abs(picoseconds);
    for (const [scale, unit] of TIMES) {
      if (size >= scale) {
        return number(picoseconds / scale, digits) + ' ' + unit;
      }
    }
    return '0 ns';
  }

  /* A moment on a scale whose marks are `step` apart, so that neighbours differ. */
  function moment(picoseconds, step) {
    if (Math.abs(picoseconds) < step / 1000) {
      return '0';
    }
    const [scale, unit] = TIMES.find(([size]) => Math.abs(picoseconds) >= size) || TIMES[TIMES.length - 1];
    const decimals = Math.min(Math.max(Math.ceil(-Math.log10(step / scale) - 1e-9), 0), 12);
    return (picoseconds / scale).toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: decimals }) + ' ' + unit;
  }

  function count(value, one, many) {
    return number(value) + ' ' + (value === 1 ? one : many || one + 's');
  }

  function unitText(unit) {
    if (!unit || unit === '1') {
      return '';
    }
    return unit === 'tick' ? 'cycles' : unit;
  }

  /* A part of a whole in percent. */
  function share(part, whole) {
    const percent = 100 * part / whole;
    return percent > 0 && percent < 0.05 ? '< 0.1 %' : number(percent, 3) + ' %';
  }

  /* A value with its unit. */
  function value(content, unit) {
    if (content === null || content === undefined) {
      return 'not available';
    }
    const text = typeof content === 'number' ? number(content) : String(content);
    const suffix = unitText(unit);
    return suffix === '' ? text : text + ' ' + suffix;
  }

  return { number, time, moment, count, unitText, share, value };
}());
