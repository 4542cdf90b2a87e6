/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of several rows as one, as the type of the table says; see OpprofCombine. */
opprof.combine = (function () {
  const MEMBER = 512;
  const SUM = 1;
  const LONGEST = 2;
  const MEAN = 3;

  function most(values) {
    return values.reduce((largest, value) => Math.max(largest, value), 0);
  }

  function sum(values) {
    return values.reduce((all, value) => all + value, 0);
  }

  /* The lists of a map's keys, as one value per list. */
  function each(lists, one) {
    return Array.from(lists.values(), one);
  }

  /* Append to the list of a key. */
  function put(lists, key, value) {
    if (!lists.has(key)) {
      lists.set(key, []);
    }
    lists.get(key).push(value);
  }

  /* Of rows that differ in the member only the longest, of which one member may have several. */
  function longest(table, column, rows) {
    const isMember = (at) => (table.fields[at].flags & MEMBER) !== 0;
    const keys = table.fields.map((field, at) => at).filter((at) => table.fields[at].isKey);
    const text = (row, wanted) => JSON.stringify(keys.filter((at) => isMember(at) === wanted).map((at) => row[at]));
    const others = new Map();
    for (const row of rows) {
      put(others, text(row, false), row);
    }
    return sum(each(others, (alike) => {
      const members = new Map();
      for (const row of alike) {
        put(members, text(row, true), opprof.filter.numeric(row[column]) || 0);
      }
      return most(each(members, sum));
    }));
  }

  /* The value of a column of some rows of a table. Where it is not known how they combine, that of the largest. */
  function value(table, column, rows) {
    const rule = table.fields[column].combine;
    if (rule === LONGEST) {
      return longest(table, column, rows);
    }
    const values = rows.map((row) => opprof.filter.numeric(row[column]) || 0);
    return rule === SUM ? sum(values) : rule === MEAN ? sum(values) / values.length : most(values);
  }

  /* Does it have a part of the whole? */
  function addsUp(field) {
    return field.combine === SUM || field.combine === LONGEST;
  }

  return { put, value, addsUp };
}());
