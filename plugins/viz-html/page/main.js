/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the sections together and shows the one that the address names. */
(function () {
  const make = opprof.elements.make;
  /* If there is a comparison, it is what the user asked for. */
  const SECTIONS = ['comparison', 'summary', 'timeline', 'roofline', 'memory', 'heat', 'source', 'tables', 'about'];

  /* A section that fails must not take the others with it. */
  function build(section, report) {
    try {
      return section.create(report);
    } catch (error) {
      window.console.error(error);
      return make('p', { class: 'card notice problem' }, 'This section could not be shown: ' + error.message);
    }
  }

  function makeSections(report) {
    const shown = [];
    for (const name of SECTIONS) {
      const section = opprof[name];
      const content = section === undefined ? null : build(section, report);
      if (content !== null) {
        shown.push({
          section,
          panel: make('div', { id: 'section-' + section.id, class: 'panel', hidden: true, role: 'region', 'aria-label': section.title }, content),
          link: make('a', { href: '#' + section.id }, section.title),
        });
      }
    }
    return shown;
  }

  function select(shown) {
    const wanted = window.location.hash.slice(1);
    if (wanted === 'content') {
      return; /* the link above the bar */
    }
    const chosen = shown.find((one) => one.section.id === wanted) || shown[0];
    for (const one of shown) {
      one.panel.hidden = one !== chosen;
      if (one === chosen) {
        one.link.setAttribute('aria-current', 'page');
      } else {
        one.link.removeAttribute('aria-current');
      }
    }
    if (chosen.section.shown) {
      chosen.section.shown();
    }
  }

  /* A print has all sections, also those that draw only once they are shown. */
  function showAll(shown) {
    const hidden = shown.map((one) => one.panel.hidden);
    window.addEventListener('afterprint', () => shown.forEach((one, place) => { one.panel.hidden = hidden[place]; }), { once: true });
    for (const one of shown) {
      one.panel.hidden = false;
      if (one.section.shown) {
        one.section.shown();
      }
      if (one.section.drawNow) {
        one.section.drawNow();
      }
    }
  }

  function start() {
    const report = opprof.data.read();
    report.timeline = opprof.timelineData.read(report.names);
    const content = document.getElementById('content');
    const [subject, details] = [opprof.identity.subject(report), opprof.identity.details(report)];
    document.title = subject + ' · opprof';
    for (const [id, text] of [['title', subject], ['subtitle', details]]) {
      document.getElementById(id).textContent = text;
      document.getElementById(id).title = text;
    }
    opprof.theme.start();
    const shown = makeSections(report);
    document.getElementById('sections').append(...shown.map((one) => one.link));
    content.append(...shown.map((one) => one.panel));
    window.addEventListener('hashchange', () => select(shown));
    window.addEventListener('beforeprint', () => showAll(shown));
    select(shown);
    document.documentElement.dataset.ready = 'true';
  }

  start();
}());
