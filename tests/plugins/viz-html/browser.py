# SPDX-License-Identifier: Apache-2.0
"""A page in a headless Chromium, driven over the browser's debugging pipe."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

LIMIT = 1800  # seconds; only ends what hangs

KEYS = {
    "Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, None), "Escape": ("Escape", 27, None),
    " ": ("Space", 32, " "), "ArrowLeft": ("ArrowLeft", 37, None), "ArrowUp": ("ArrowUp", 38, None),
    "ArrowRight": ("ArrowRight", 39, None), "ArrowDown": ("ArrowDown", 40, None),
    "Home": ("Home", 36, None), "End": ("End", 35, None),
}


def find():
    """Path of a Chromium, or None."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, filter(None, names)) if path), None)


class Browser:
    """One page. Keeps what it wrote to the console, and every address it asked for."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="opprof-browser-")
        down, self.commands = os.pipe()
        self.answers, up = os.pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
                 "--no-first-run", "--mute-audio", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--disable-extensions",
                 "--disable-dev-shm-usage", "--allow-file-access-from-files=false",
                 "--force-color-profile=srgb", "--user-data-dir=" + self.folder, "about:blank"]
        if os.geteuid() == 0:
            flags.insert(0, "--no-sandbox")
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", 'exec 3<&%d 4>&%d; exec "$@"' % (down, up), "sh", find()] + flags,
            pass_fds=(down, up), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self.buffer = b""
        self.number = 0
        self.requests = []
        self.problems = []
        self.loaded = False
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=self.first_page(),
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, EOFError, RuntimeError):
            self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def first_page(self):
        """The page that the browser begins with; it answers before that is there."""
        while True:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return target["targetId"]

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise EOFError("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, given = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            detail = given["exceptionDetails"]
            self.problems.append(detail.get("exception", {}).get("description") or detail["text"])
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning",
                                                                        "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description")))
                                          for a in given["args"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.problems.append(given["entry"]["text"])

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.note(answer)

    def open(self, path, fragment=""):
        """Opens a file and waits until the page says that it is ready."""
        self.loaded = False
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        if not self.until("document.readyState === 'complete' && "
                          "document.documentElement.dataset.ready === 'true'"):
            raise RuntimeError("the page is not ready: %s" % self.problems)

    def until(self, expression):
        """Waits for something to become true; false when it does not."""
        limit = time.monotonic() + LIMIT
        while time.monotonic() < limit:
            if self.value("!!(%s)" % expression):
                return True
            self.frame()
        return False

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            detail = answer["exceptionDetails"]
            raise RuntimeError(detail.get("exception", {}).get("description") or detail["text"])
        return answer["result"].get("value")

    def frame(self):
        """Until the page was drawn once more."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
                   "done(1))))")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def colours(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])
        self.frame()

    def go(self, section):
        self.value("location.hash = %s" % json.dumps("#" + section))
        self.frame()

    def key(self, name, shift=False):
        code, number, text = KEYS[name] if name in KEYS else ("Key" + name.upper(),
                                                              ord(name.upper()), name)
        event = {"key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift
                 else 0}
        if text:
            event["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.frame()

    def mouse(self, kind, x, y, button="none", **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, **more)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.frame()

    def click(self, x, y):
        self.mouse("mousePressed", x, y, "left", clickCount=1)
        self.mouse("mouseReleased", x, y, "left", clickCount=1)
        self.frame()

    def drag(self, x, y, to_x, to_y, shift=False):
        modifiers = 8 if shift else 0
        self.mouse("mousePressed", x, y, "left", clickCount=1, modifiers=modifiers)
        for step in range(1, 5):
            self.mouse("mouseMoved", x + (to_x - x) * step / 4, y + (to_y - y) * step / 4, "left",
                       buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", to_x, to_y, "left", clickCount=1, modifiers=modifiers)
        self.frame()

    def wheel(self, x, y, dy, ctrl=False):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=dy, modifiers=2 if ctrl else 0)
        self.frame()

    def place(self, selector):
        """Middle of the first element that a selector names, scrolled into sight."""
        return self.value("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: "
                          "'center'}); "
                          "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + "
                          "r.height / 2]; })()" % json.dumps(selector))

    def screenshot(self, path):
        self.frame()
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
