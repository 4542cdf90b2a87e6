# SPDX-License-Identifier: Apache-2.0
"""How fast a page is: prints name, value and unit a line. usage: frames.py PAGE"""
import os
import sys
import time

import browser

DRAW = """
(() => {
  const view = opprof.timeline.state().view;
  const times = [];
  opprof.timelineView.View.prototype.showAll.call(view);
  for (let zoom = 1; zoom < 1e5; zoom *= 1.6) {
    for (let part = 0; part < 4; part++) {
      const length = view.timeline.length / zoom;
      view.set((view.timeline.length - length) * part / 4, (view.timeline.length - length) * part / 4 + length);
      let shortest = Infinity; /* of three: other programs have no say */
      for (let again = 0; again < 3; again++) {
        const start = performance.now();
        opprof.timeline.drawNow();
        shortest = Math.min(shortest, performance.now() - start);
      }
      times.push(shortest);
    }
  }
  return times.sort((a, b) => a - b);
})()
"""

# Zoomed out, the window is moved to and fro as often as the browser shows a frame: what a person
# sees.
PAN = """
new Promise((resolve) => {
  const view = opprof.timeline.state().view;
  const times = [];
  let last = null;
  let step = 0;
  view.set(0, view.timeline.length * 0.9);
  const frame = (now) => {
    if (last !== null) {
      times.push(now - last);
    }
    last = now;
    view.pan(step++ % 20 < 10 ? 0.01 : -0.01);
    opprof.timeline.drawNow();
    if (times.length < 120) {
      requestAnimationFrame(frame);
    } else {
      resolve(times.sort((a, b) => a - b));
    }
  };
  requestAnimationFrame(frame);
})
"""


def main(page):
    if not browser.find():
        return 1
    with browser.Browser() as window:
        start = time.monotonic()
        window.open(page, "#timeline")
        print("page-opens %.3f s" % (time.monotonic() - start))
        window.value(DRAW)  # levels are unpacked when they are first looked at
        times = window.value(DRAW)
        print("page-frame-median %.2f ms" % times[len(times) // 2])
        print("page-frame-slowest-of-ten %.2f ms" % times[len(times) * 9 // 10])
        print("page-frame-slowest %.2f ms" % times[-1])
        times = window.value(PAN)
        print("page-pan-median %.2f ms" % times[len(times) // 2])
        print("page-pan-slowest-of-ten %.2f ms" % times[len(times) * 9 // 10])
        print("page-size %.2f MB" % (os.path.getsize(page) / 1e6))
        if window.problems:
            print(window.problems, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
