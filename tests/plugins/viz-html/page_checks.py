# SPDX-License-Identifier: Apache-2.0
"""Looks at pages in a browser. usage: page_checks.py FOLDER, with sim, onboard and kineto in it"""
import sys

from browser import Browser

# Ratio of the luminance of a text to that of what lies behind it, as WCAG 2 defines it, of every text that is shown.
CONTRAST = """
(() => {
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
  const parse = t => { const m = t.match(/[\\d.]+/g).map(Number); return m.length < 4 ? m.concat(1) : m; };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const behind = e => {
    const layers = [];
    for (; e; e = e.parentElement) { layers.push(parse(getComputedStyle(e).backgroundColor)); }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || !e.getClientRects().length || e.closest('script, style, .unseen, .skip, noscript, option')) { continue; }
    const ground = behind(e);
    const ink = over(parse(getComputedStyle(e).color), ground);
    const [a, b] = [luminance(ink), luminance(ground)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) { bad.push(ratio.toFixed(2) + ' ' + node.data.trim().slice(0, 40)); }
  }
  return bad;
})()
"""
# What is wider than the window although it does not scroll.
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Controls without a name for a screen reader.
NAMELESS = """
Array.from(document.querySelectorAll('button, select, input, canvas, [role=region]')).filter(e => e.getClientRects().length &&
  !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || (e.labels && e.labels.length)))
  .map(e => e.outerHTML.slice(0, 80))
"""

failures = []
checks = 0


def check(is_good, what, seen=None):
    global checks
    checks += 1
    if not is_good:
        failures.append("%s%s" % (what, "" if seen is None else ": %r" % (seen,)))


def cells(browser, column):
    return browser.value("Array.from(document.querySelectorAll('#section-tables tbody tr')).map(r => r.cells[%d].textContent)" % column)


def sections(browser):
    return browser.value("Array.from(document.querySelectorAll('#sections a')).map(a => a.hash.slice(1))")


def look_at_all(browser, page, name):
    """Every section in both colours and both widths."""
    browser.open(page)
    for colours in ("light", "dark"):
        browser.colours(colours)
        for width, height in ((1280, 800), (390, 844)):
            browser.resize(width, height)
            for section in sections(browser):
                browser.go(section)
                where = "%s, %s, %s, %d" % (name, section, colours, width)
                check(browser.value("document.querySelectorAll('.panel:not([hidden])').length") == 1, "one section is shown: " + where)
                check(browser.value(OVERFLOW) <= 0, "nothing sticks out: " + where, browser.value(OVERFLOW))
                bad = browser.value(CONTRAST)
                check(not bad, "texts stand out: " + where, bad)
                check(not browser.value(NAMELESS), "controls have names: " + where, browser.value(NAMELESS))
    browser.resize(1280, 800)
    browser.colours("light")


def choose_table(browser, title):
    browser.go("tables")
    browser.value("Array.from(document.querySelectorAll('#section-tables .wide button')).find(b => b.firstChild.textContent === '%s').click()" % title)


def look_at_tables(browser, page):
    browser.open(page)
    choose_table(browser, "PipeUtilization")
    heads = browser.value("Array.from(document.querySelectorAll('#section-tables thead th')).map(h => h.textContent)")
    column = next(i for i, head in enumerate(heads) if head.startswith("aic_time"))
    button = "#section-tables thead th:nth-child(%d) button" % (column + 1)
    browser.click(*browser.place(button))
    numbers = [float(c.replace(",", "")) for c in cells(browser, column) if c != "–"]
    check(numbers == sorted(numbers, reverse=True) and len(numbers) > 2, "a click sorts, largest first", numbers[:5])
    browser.value("document.querySelector('%s').focus()" % button)
    browser.key("Enter")
    numbers = [float(c.replace(",", "")) for c in cells(browser, column) if c != "–"]
    check(numbers == sorted(numbers), "a key sorts the other way round", numbers[:5])
    check(cells(browser, column)[-1] == "–", "what is absent comes last")
    check(browser.value("document.querySelector('#section-tables th[aria-sort]').getAttribute('aria-sort')") == "ascending", "the order is told")
    browser.click(*browser.place("#section-tables input[type=search]"))
    browser.type("vector1")
    rows = browser.value("Array.from(document.querySelectorAll('#section-tables tbody tr')).map(r => r.textContent)")
    check(rows and all("vector1" in row for row in rows), "the filter leaves what it names", rows[:2])
    check(browser.value("document.querySelector('#section-tables .tools .count').textContent") == "8 of 24 rows", "the rows are counted")


def main(folder):
    with Browser() as browser:
        for name in ("onboard", "sim", "kineto"):
            look_at_all(browser, "%s/%s/report.html" % (folder, name), name)
        look_at_tables(browser, folder + "/onboard/report.html")
        check(not browser.problems, "the console is silent", browser.problems)
        outside = [url for url in browser.requests if not url.startswith(("file://" + folder, "data:", "blob:", "about:"))]
        check(not outside, "no request leaves the page", outside)
        check(not [url for url in browser.requests if not url.split("#")[0].endswith("/report.html")], "nothing is loaded", browser.requests)
    for failure in failures:
        print("FAIL: " + failure)
    print("%d checks, %d failed" % (checks, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
