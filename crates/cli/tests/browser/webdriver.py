"""A client of the WebDriver protocol for headless Chromium, without dependencies, and a large input."""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, SHIFT, END = "\ue007", "\ue008", "\ue010"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"


def is_installed():
    """Returns whether Chromium and its driver are installed."""
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


def large_text():
    """Returns the text of a kernel of about 1 MB."""
    head = ['.version 3.6', '.kernel "large"']
    head += [f".decl x{i} v_type=G type=f num_elts=16 align=GRF" for i in range(400)]
    lines = []
    for i in range(20000):
        a, b, c = i * 7 % 400, i * 11 % 400, i * 13 % 400
        lines.append(f"mad (M1, 16) x{a}(0,0)<1> x{b}(0,0)<1;1,0> x{c}(0,0)<1;1,0> x{a}(0,0)<1;1,0>")
        lines.append(f"mul (M1, 16) x{b}(0,0)<1> x{c}(0,0)<1;1,0> 0x{0x3f000000 + i:x}:f")
    return "\n".join(head + lines + ["ret (M1, 1)"]) + "\n"


class Browser:
    """A session of Chromium, which ends with the `with` statement."""

    def __init__(self, width=1400, height=900, dark=False):
        self.size, self.dark = (width, height), dark

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            try:
                self.send("GET", "/status")
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={self.profile.name}", f"--window-size={self.size[0]},{self.size[1]}",
        ]
        options = {"args": arguments, "binary": shutil.which("chromium")}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.url += f"/session/{session['sessionId']}"
        scheme = "dark" if self.dark else "light"
        self.devtools(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        width, height = self.size
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )
        return self

    def __exit__(self, *_):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def devtools(self, command, **params):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs the body of a function, and returns its result."""
        return self.send("POST", "/execute/sync", {"script": script, "args": arguments})

    def run_async(self, script):
        """Runs the body of a function that calls its last argument with its result, and returns the result."""
        return self.send("POST", "/execute/async", {"script": script, "args": []})

    def settle(self):
        """Waits until the page has drawn the state that it has now."""
        script = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        self.send("POST", "/execute/async", {"script": script, "args": []})

    def wait(self, condition, what, seconds=5):
        """Waits until a JavaScript expression is true, and drawn."""
        for _ in range(20 * seconds):
            if self.run(f"return Boolean({condition})"):
                return self.settle()
            time.sleep(0.05)
        raise AssertionError(f"expected {what}: {condition}")

    def find(self, selector):
        return self.send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        # As a person does: the page marks what is below the pointer before the button is pressed. If it drew
        # between the press and the release, there would be no click.
        self.hover(selector)
        self.settle()
        self.send("POST", f"/element/{self.find(selector)}/click", {})

    def select(self, row, target):
        """Clicks a part of a row until the row is selected. A click is lost if rows are drawn meanwhile."""
        selected = f"document.querySelector('{row}')?.classList.contains('selected')"
        for _ in range(5):
            self.click(target)
            for _ in range(10):
                if self.run(f"return Boolean({selected})"):
                    return self.settle()
                time.sleep(0.05)
        raise AssertionError(f"expected {row} to be selected")

    def type(self, selector, text):
        self.send("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys on the focused element; those before the last one are held."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": down + up}]})

    def hover(self, selector):
        origin = {ELEMENT: self.find(selector)}
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}
        self.send("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def log(self):
        """Returns the messages of the console since the last call."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def screenshot(self):
        return base64.b64decode(self.send("GET", "/screenshot"))

    def print(self):
        """Returns the page as PDF."""
        return base64.b64decode(self.send("POST", "/print", {}))


def check_contrast(browser):
    """All texts have a contrast of at least 4.5 with the color that they are drawn on."""
    low = browser.run("""
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        function rgba(color) {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].map((n, i) => i === 3 ? n / 255 : n);
        }
        const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3]));
        function luminance(color) {
          const [r, g, b] = color.map(n => n / 255).map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        }
        function background(element) {
          const stack = [];
          for (let at = element; at; at = at.parentElement) {
            stack.push(rgba(getComputedStyle(at).backgroundColor));
            if (at.matches('.box')) {
              for (const rect of [...at.querySelectorAll('rect')].reverse()) {
                const style = getComputedStyle(rect), color = rgba(style.fill);
                color[3] *= style.fillOpacity * style.opacity;
                stack.push(color);
              }
            }
          }
          return stack.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
        }
        const low = [];
        for (const element of document.querySelectorAll('body *')) {
          const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
          if (!hasText || !element.checkVisibility() || element.closest('script, noscript, title, option')) continue;
          const style = getComputedStyle(element);
          const under = background(element);
          const color = over(rgba(element instanceof SVGElement ? style.fill : style.color), under);
          const [a, b] = [luminance(color), luminance(under)].sort((x, y) => y - x);
          const contrast = (a + 0.05) / (b + 0.05);
          if (contrast < 4.5) low.push(`${element.textContent.slice(0, 30)} (${element.className?.baseVal ?? element.className}): ${contrast.toFixed(2)}`);
        }
        return low;
    """)
    assert low == [], low


def check_labels(browser):
    """Everything that takes the focus has a name."""
    unnamed = browser.run(
        "return [...document.querySelectorAll('button, input, select, [tabindex]')]"
        ".filter(e => !e.getAttribute('aria-label') && !e.getAttribute('aria-labelledby') && !e.textContent.trim())"
        ".map(e => e.id)"
    )
    assert unnamed == [], unnamed
