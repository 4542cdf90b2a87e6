/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts and filters rows. */
opprof.filter = (function () {
  const COMPARISON = /^(<=|>=|<|>|=)\s*(.+)$/;

  /* The cell as a number if it is one, also in quotes because it has too many digits. */
  function numeric(cell) {
    if (typeof cell === 'number') {
      return cell;
    }
    return typeof cell === 'string' && cell !== '' ? Number(cell) : NaN;
  }

  /* Numbers by size, texts by their letters with numbers inside by size; absent cells last. */
  function compare(a, b) {
    if (a === null || b === null) {
      return (a === null) - (b === null);
    }
    const x = numeric(a);
    const y = numeric(b);
    if (!Number.isNaN(x) && !Number.isNaN(y)) {
      return x - y;
    }
    return String(a).localeCompare(String(b), 'en', { numeric: true });
  }

  /* Order of rows by a column; absent cells stay last in both directions. */
  function byColumn(column, isDescending) {
    return (a, b) => {
      const one = a[column];
      const other = b[column];
      if (one === null || other === null) {
        return (one === null) - (other === null);
      }
      return isDescending ? compare(other, one) : compare(one, other);
    };
  }

  function comparison(operator, wanted) {
    const order = (cell) => (cell === null ? NaN : compare(cell, wanted));
    switch (operator) {
      case '<': return (cell) => order(cell) < 0;
      case '>': return (cell) => order(cell) > 0;
      case '<=': return (cell) => order(cell) <= 0;
      case '>=': return (cell) => order(cell) >= 0;
      default: return (cell) => order(cell) === 0;
    }
  }

  function cellTest(text) {
    const match = COMPARISON.exec(text);
    if (match !== null) {
      return comparison(match[1], match[2]);
    }
    const wanted = text.toLowerCase();
    return (cell) => cell !== null && String(cell).toLowerCase().includes(wanted);
  }

  /* Whether a row matches: `text` in a column, or with column -1 in any; "> 5" compares. */
  function rowTest(text, column) {
    const trimmed = text.trim();
    if (trimmed === '') {
      return () => true;
    }
    const test = cellTest(trimmed);
    return column < 0 ? (row) => row.some(test) : (row) => test(row[column]);
  }

  return { numeric, compare, byColumn, rowTest };
}());
