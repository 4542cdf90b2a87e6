/* SPDX-License-Identifier: Apache-2.0 */
/* Dark or light: as the system prefers, until the reader chooses. */
opprof.theme = (function () {
  const KEY = 'opprof-theme';
  const listeners = [];
  const system = window.matchMedia('(prefers-color-scheme: dark)');

  /* Pages opened from disk may have no storage. */
  function stored() {
    try {
      return window.localStorage.getItem(KEY);
    } catch (error) {
      return null;
    }
  }

  function store(name) {
    try {
      window.localStorage.setItem(KEY, name);
    } catch (error) {
      /* Without storage the choice lasts for this visit. */
    }
  }

  function current() {
    return document.documentElement.dataset.theme || (system.matches ? 'dark' : 'light');
  }

  function tell(button) {
    const other = current() === 'dark' ? 'light' : 'dark';
    button.textContent = other === 'dark' ? 'Dark' : 'Light';
    button.setAttribute('aria-label', 'Change to ' + other + ' colours');
    for (const listener of listeners) {
      listener();
    }
  }

  function start() {
    const button = document.getElementById('theme');
    const wanted = stored();
    if (wanted === 'dark' || wanted === 'light') {
      document.documentElement.dataset.theme = wanted;
    }
    button.addEventListener('click', () => {
      document.documentElement.dataset.theme = current() === 'dark' ? 'light' : 'dark';
      store(current());
      tell(button);
    });
    system.addEventListener('change', () => tell(button));
    tell(button);
  }

  /* Value of a colour of the style sheet, for drawing. */
  function colour(name) {
    return window.getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  }

  function onChange(listener) {
    listeners.push(listener);
  }

  return { start, current, colour, onChange };
}());
