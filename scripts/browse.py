#!/usr/bin/env python3
"""Look at a page of `ctx-explore explore --format html` in a headless Chromium.

    scripts/browse.py BINARY [--chromium PROGRAM] [--shots FOLDER] [--ask ROOT QUESTION]...

Asks about this repository's fixtures, or what --ask says, and opens each page in a light and in a dark scheme, wide and narrow.
Checks that nothing is logged and nothing loaded, that each link within the page leads to a line that is then
visible, that folded parts unfold, that nothing sticks out sideways, and that each text has a contrast of at least
4.5 to what is behind it. --shots keeps a picture of each.
"""
import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUESTIONS = [
    ("kotlin/interceptors", "how does a call run through its interceptors"),
    ("python/compiler", "how does a query become SQL"),
    ("rust/dispatch", "zyzzyva <script>alert(1)</script>"),
]

CONTRAST = """
(() => {
  const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const box = element.ownerSVGElement && element.parentElement.querySelector('rect');
    if (box) return parts(getComputedStyle(box).fill);
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  document.querySelectorAll('details').forEach((part) => { part.open = true; });
  const weak = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.tagName === 'title') continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(parts(element.ownerSVGElement ? style.fill : style.color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.push(`${element.tagName} ${element.className.baseVal ?? element.className}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(weak)];
})()
"""
LINKS = """
(async () => {
  const bad = [];
  document.querySelectorAll('details').forEach((part) => { part.open = false; });
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    location.hash = link.getAttribute('href');
    const target = document.querySelector(location.hash);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    if (!target || !target.checkVisibility()) bad.push(location.hash);
  }
  return bad;
})()
"""


class Browser:
    """A Chromium that is spoken to over a pair of pipes."""

    def __init__(self, program, profile):
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()

        def ends():
            # Chromium reads from 3 and writes to 4.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                 "--disable-ipc-flooding-protection"]
        command = [program, *flags, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            command, preexec_fn=ends, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.buffer:
            self.buffer += os.read(self.read, 1 << 16) or sys.exit("browse: Chromium has ended")
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while (message := self.message()).get("id") != self.number:
            self.events.append(message)
        if "error" in message:
            sys.exit(f"browse: {method}: {message['error']}")
        return message["result"]

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value", answer)

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        for domain in ["Page", "Log", "Runtime", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def leave(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=30)


def look(browser, url, name, shots):
    wrong = []
    browser.open(url)
    for scheme in ["light", "dark"]:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in [1200, 420]:
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.call("Emulation.setDeviceMetricsOverride", **size)
            if shots:
                shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True)
                (shots / f"{name}-{scheme}-{width}.png").write_bytes(base64.b64decode(shot["data"]))
            out = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if out:
                wrong.append(f"{scheme}, {width}: {out} pixels stick out")
        wrong += [f"{scheme}: too little contrast: {what}" for what in browser.value(CONTRAST)]
        browser.value("document.querySelectorAll('details').forEach((part) => { part.open = !part.querySelector('small'); })")
    wrong += [f"a link leads nowhere: {link}" for link in browser.value(LINKS)]
    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        if method in ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"]:
            wrong.append(f"logged: {params}")
        if method == "Network.requestWillBeSent" and params["request"]["url"].split("#")[0] != url:
            wrong.append(f"loaded: {params['request']['url']}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--ask", nargs=2, action="append", metavar=("ROOT", "QUESTION"))
    args = parser.parse_args()
    if args.shots:
        args.shots.mkdir(parents=True, exist_ok=True)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(args.chromium, f"{folder}/profile")
        fixtures = [(ROOT / "fixtures" / fixture, question) for fixture, question in QUESTIONS]
        for number, (root, question) in enumerate(args.ask or fixtures, 1):
            name = f"{number}-{pathlib.Path(root).name}"
            command = [args.binary.resolve(), "explore", "--format", "html", "--root", root, "--", question]
            env = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache"}
            page = pathlib.Path(folder, f"{name}.html")
            page.write_bytes(subprocess.run(command, env=env, stdout=subprocess.PIPE).stdout)
            wrong = look(browser, page.as_uri(), name, args.shots)
            failed |= bool(wrong)
            print(f"{name}: {'; '.join(wrong) or 'ok'}")
        browser.leave()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
