# SPDX-License-Identifier: Apache-2.0
"""Pictures of pages. usage: pictures.py FOLDER IMAGES, with sim, onboard, kineto and notebook in
FOLDER"""
import os
import sys

from browser import Browser

LARGEST = 200000  # bytes

CHOOSE = """
(() => {
  const state = opprof.timeline.state();
  const view = state.view;
  view.set(30e6, 32.4e6);
  const line = view.layout.lines.filter(l => l.kind === 'lane')[2];
  const spans = view.timeline.finest.lanes.get(line.lane).spans;
  view.choose(line.lane, spans.start.findIndex((start, i) => start > 31e6 && spans.end[i] - start > 5e4));
  document.querySelector('.viewport canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
  view.set(30e6, 32.4e6);
  opprof.timeline.drawNow();
})()
"""

# name, page, section, colours, width, height, what is done first
PICTURES = (
    ("report-sim", "sim", "timeline", "light", 1280, 760, CHOOSE),
    ("report-onboard", "onboard", "memory", "light", 1280, 720, None),
    ("report-roofline", "onboard", "roofline", "dark", 1280, 720, None),
    ("report-kineto", "kineto", "timeline", "dark", 1280, 720, None),
    ("notebook", "notebook", "", "light", 1000, 560, None),
    ("report-phone", "kineto", "timeline", "light", 390, 760, None),
)


def main(folder, images):
    with Browser() as browser:
        for name, page, section, colours, width, height, first in PICTURES:
            browser.resize(width, height)
            browser.colours(colours)
            browser.open("%s/%s/report.html" % (folder, page), "#" + section)
            if first:
                browser.value(first)
            path = "%s/%s.png" % (images, name)
            browser.screenshot(path)
            print("%s: %d bytes" % (path, os.path.getsize(path)))
            if os.path.getsize(path) > LARGEST:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
