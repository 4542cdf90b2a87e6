/* SPDX-License-Identifier: Apache-2.0 */
/* Makes elements. Texts only ever become text nodes, so data is never interpreted as markup. */
opprof.elements = (function () {
  const SVG = 'http://www.w3.org/2000/svg';

  function append(element, children) {
    for (const child of children) {
      if (child === null || child === undefined) {
        continue;
      }
      if (Array.isArray(child)) {
        append(element, child);
      } else {
        element.append(child);
      }
    }
  }

  function set(element, attributes) {
    for (const name of Object.keys(attributes || {})) {
      const value = attributes[name];
      if (value === null || value === undefined || value === false) {
        continue;
      }
      if (typeof value === 'function') {
        element.addEventListener(name, value);
      } else {
        element.setAttribute(name, value === true ? '' : String(value));
      }
    }
  }

  /* An element; attributes that are functions become listeners of the event with their name. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    set(element, attributes);
    append(element, children);
    return element;
  }

  function makeSvg(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    set(element, attributes);
    append(element, children);
    return element;
  }

  function empty(element) {
    while (element.firstChild) {
      element.firstChild.remove();
    }
  }

  /* Announces a change to screen readers. */
  function announce(text) {
    document.getElementById('announcer').textContent = text;
  }

  return { make, makeSvg, empty, announce };
}());
