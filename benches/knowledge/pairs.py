#!/usr/bin/env python3
"""Goes the ways between random pairs of screens of the test applications through Playwright MCP,
and asks the application which screen it ends on.

    pairs.py NAVIGATOR SERVE_APPS FOLDER [--pairs N] [--seed N] [--app NAME] [--refuse]

FOLDER is what `record.py` wrote. Each pair begins with a tour that leads to the first screen, with
the applications and the browser begun anew. `--refuse` permits nothing that sends: a way ends
before the first action that says it does. A request that sends without an action that says so is
refused and counted. Needs `pip install playwright`, which has the server, and a Chromium (CHROMIUM
names another than /usr/bin/chromium).
"""

import argparse
import collections
import http.server
import json
import os
import pathlib
import random
import re
import subprocess
import sys

from record import APPS, RECORDED, Apps, HandOn, serve

SENDS = ("sends", "destroys")
# The screens of the shop, by path and by heading; the other applications tell theirs.
PATHS = [
    ("/", "front"), ("/category/.*", "category"), ("/product/.*", "product"),
    ("/search", "search"), ("/cart", "cart"), ("/thank-you/.*", "confirmation"),
    ("/checkout/(.*)", r"checkout-\1"), ("/login", "login"), ("/account", "account"),
    ("/account/orders", "orders"), ("/account/orders/.*", "order"),
    ("/account/address", "account-address"), ("/about", "about"),
]
HEADINGS = {"We cannot find this page": "missing", "Your cart is empty": "cart-empty",
            "Nothing found": "search-empty"}
# Takes the steps of a tour, each with the screen that it leads to.
DRIVE = """async page => {
  const settle = () => page.waitForTimeout(250);
  await page.goto(ADDRESS);
  await settle();
  for (const [, deed, label, value] of STEPS.slice(1)) {
    const named = role => page.getByRole(role, { name: label, exact: true });
    const field = () => ["textbox", "searchbox", "spinbutton", "combobox", "checkbox", "radio"]
      .map(named).reduce((all, one) => all.or(one));
    if (deed === "Click") {
      const all = ["button", "link", "tab", "menuitem"].map(named).reduce((a, b) => a.or(b));
      const found = await all.count() ? all : page.getByText(label, { exact: true });
      await found.last().click();
    } else if (deed === "Fill") await field().fill(value);
    else if (deed === "Select") await field().selectOption(value);
    else if (deed === "Check") await field().check();
    else if (deed === "Press") await page.keyboard.press(label);
    else await page.goBack();
    await settle();
  }
}"""
# Returns what is there of the texts that an answer names: as they are, and as words.
VERIFY = """() => INDICATORS.map(one => {
  if (one.type === "url_matches") return new RegExp(one.pattern).test(location.href) ? 2 : 0;
  const texts = [...document.querySelectorAll(one.selector)].map(found =>
    [found.innerText, found.ariaLabel, found.placeholder, found.value, found.text].join("\\n"));
  const plain = texts.map(text => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, " "));
  if (!plain.some(text => text.includes(one.value))) return 0;
  return texts.some(text => text.toLowerCase().includes(one.value)) ? 2 : 1;
})"""


class Refused(Exception):
    """A tool that did not do what it was called for."""


class Guard(HandOn):
    """Takes note of the screen, and lets nothing be sent but what was said and permitted."""

    may_send, screen, sent, unsaid = False, "", [], []

    def may_pass(self):
        if self.path.startswith("/at/"):
            Guard.screen = self.path[len("/at/"):]
        if self.command == "GET":
            return True
        (Guard.sent if Guard.may_send else Guard.unsaid).append(f"{self.command} {self.path}")
        return Guard.may_send

    def page(self, body):
        heading = re.search(r"<h1>(.*?)</h1>", body.decode())
        # The pages of the other applications are drawn by scripts, which tell the screen.
        if self.server.server_port == RECORDED:
            path = self.path.split("?")[0]
            found = [re.sub(one, name, path) for one, name in PATHS if re.fullmatch(one, path)]
            Guard.screen = HEADINGS.get(heading[1]) or (found or ["missing"])[0]
        return body


class PlaywrightMcp:
    """The server, with a browser that nobody used before."""

    def __init__(self):
        command = [sys.executable, "-m", "playwright", "mcp", "--headless", "--isolated",
                   "--caps", "vision", "--snapshot-mode", "none",
                   "--executable-path", os.environ.get("CHROMIUM", "/usr/bin/chromium")]
        if os.getuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.n_asked = 0
        self.ask("initialize", protocolVersion="2025-03-26", capabilities={},
                 clientInfo={"name": "pairs", "version": "1"})
        self.send(method="notifications/initialized")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.n_asked += 1
        self.send(id=self.n_asked, method=method, params=params)
        messages = map(json.loads, self.process.stdout)
        return next(one for one in messages if one.get("id") == self.n_asked)

    def call(self, tool, params):
        """Calls a tool, and returns its text."""
        answer = self.ask("tools/call", name=tool, arguments=params)
        result = answer.get("result") or {"isError": True, "content": [answer["error"]]}
        text = "\n".join(part.get("text") or str(part) for part in result["content"])
        if result.get("isError"):
            raise Refused(re.sub(r"\s+", " ", text)[:250])
        return text

    def settle(self):
        self.call("browser_wait_for", {"time": 0.4})


def ask(navigator, file, *question, text=None):
    command = [navigator, "knowledge", "ask", file, *question,
               "--dialect", "playwright-mcp", "--format", "json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return json.loads(done.stdout or "{}") or {"error": done.stderr.strip()}


def go(mcp, answer, names, may_send):
    """Does what an answer says. Returns what came of it, and why."""
    if not answer.get("success"):
        return "no way", answer.get("error", "no answer")
    for action in answer["actions"]:
        if action["effect"] in SENDS and not may_send:
            return "no permit", action["description"]
        Guard.may_send = action["effect"] in SENDS
        try:
            mcp.call(action["tool"], action["params"])
            mcp.settle()
        except Refused as why:
            return "failed", f"{action['description']} on `{action['screen_id']}`: {why}"
        finally:
            Guard.may_send = False
    expected = answer["expected_result"]["screen_id"]
    if Guard.screen not in names[expected]:
        return "wrong screen", f"on {Guard.screen}"
    return "arrived", ""


def pair(mcp, options, file, names, start, end):
    """Goes from a screen to another. Returns what came of it, why, and what else was seen."""
    snapshot = mcp.call("browser_snapshot", {})
    url = re.search(r"Page URL: (.*)", snapshot)[1]
    found = ask(options.navigator, file, "find-screen", "--url", url, "--text", "-", text=snapshot)
    found = (found.get("result") or {}).get("screen_id")
    notes = ["start " + ("recognised" if found == start else "mistaken" if found else "unknown")]
    answer = ask(options.navigator, file, "navigate-to-screen", end, "--screen", start)
    kind, why = go(mcp, answer, names, not options.refuse)
    steps = answer.get("actions", [])
    notes += ["way opens an address"] * any(one["tool"] == "browser_navigate" for one in steps)
    notes += ["way sends"] * any(one["effect"] in SENDS for one in steps)
    if kind == "arrived":
        indicators = answer["expected_result"]["verification"]["required_indicators"]
        script = VERIFY.replace("INDICATORS", json.dumps(indicators))
        text = mcp.call("browser_evaluate", {"function": script})
        levels = json.loads(re.search(r"### Result\n(\[.*?\])", text, re.S)[1])
        notes.append(["not verified", "verified by words alone", "verified"][min(levels)])
        lacking = [one.get("value", one.get("pattern")) for one, level in zip(indicators, levels)
                   if level == 0]
        why = f"not verified: {lacking}" if lacking else ""
    return kind, why, notes


def application(options, app):
    """Tries pairs of screens of an application."""
    chosen = random.Random(f"{options.seed} {app}")
    file = pathlib.Path(options.folder) / f"{app}.json"
    tours = json.loads(file.with_suffix(".tours.json").read_text())
    address = f"http://127.0.0.1:{RECORDED + APPS.index(app)}/"
    names = collections.defaultdict(collections.Counter)
    for name, *_, screen in (step for tour in tours for step in tour):
        names[screen][name] += 1
    counts = collections.defaultdict(collections.Counter)
    for number in range(options.pairs // len(APPS)):
        start, end = chosen.sample(sorted(names), 2)
        ways = [tour[: at + 1] for tour in tours for at, step in enumerate(tour)
                if step[-1] == start]
        tour = chosen.choice(ways)
        if options.only is not None and number != options.only:
            continue

        def told(of, kind, why):
            counts[of][kind] += 1
            print(f"{app} {number} {of}: {kind}: {why}", flush=True)

        Guard.sent, Guard.unsaid = [], []
        with Apps(options.serve_apps), PlaywrightMcp() as mcp:
            answer = ask(options.navigator, file, "navigate-to-screen", start)
            told(f"entry -> {start}", *go(mcp, answer, names, not options.refuse))
        with Apps(options.serve_apps), PlaywrightMcp() as mcp:
            Guard.may_send = True
            code = DRIVE.replace("ADDRESS", json.dumps(address)).replace("STEPS", json.dumps(tour))
            mcp.call("browser_run_code_unsafe", {"code": code})
            Guard.may_send, Guard.sent = False, []
            if Guard.screen != tour[-1][0]:
                sys.exit(f"a tour of {app} leads to {Guard.screen}: {tour}")
            kind, why, notes = pair(mcp, options, file, names, start, end)
            told(f"{start} -> {end}", kind, why)
            counts["notes"].update(notes + ["has sent"] * bool(Guard.sent))
        if Guard.unsaid:
            told("effects", "sent unsaid", str(Guard.unsaid))
    return counts


def main():
    arguments = argparse.ArgumentParser()
    for name in ("navigator", "serve_apps", "folder"):
        arguments.add_argument(name)
    arguments.add_argument("--pairs", type=int, default=102)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--app")
    arguments.add_argument("--only", type=int)
    arguments.add_argument("--refuse", action="store_true")
    options = arguments.parse_args()
    for port in range(RECORDED, RECORDED + len(APPS)):
        serve(http.server.ThreadingHTTPServer(("127.0.0.1", port), Guard))
    for app in APPS if options.app is None else [options.app]:
        table = collections.defaultdict(collections.Counter)
        for of, counted in application(options, app).items():
            table["entry" if of.startswith("entry") else "pair" if "->" in of else of] += counted
        for kind, counted in table.items():
            print(app, kind, dict(sorted(counted.items())), flush=True)


if __name__ == "__main__":
    main()
