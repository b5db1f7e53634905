#!/usr/bin/env python3
"""Records the tours of the test applications as walks, and makes a knowledge of each application.

    record.py NAVIGATOR SERVE_APPS FOLDER

The pilot of each walk is a server here that speaks Chat Completions and says the steps of a tour,
so that what is recorded is what `navigator browse --browser` records. FOLDER/APP.json is the
knowledge of an application, FOLDER/APP.tours.json the tours with the screen after each step.

A walk does nothing twice on the same page, and tours do. So the pages are recorded with a counter
at their end, which makes each of them another.
"""

import http.client
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

APPS = ("shop", "tracker", "wizard")
# Where the applications are recorded, and where they are served.
RECORDED, SERVED = 8101, 8201
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "tests/support/src/apps"
SOURCES = pathlib.Path(os.environ.get("APPS_SOURCE", SOURCES))
TEXT = r'"([^"]*)"'
STEP = re.compile(rf"to\({TEXT}, (\w+)(?:\({TEXT}(?:, {TEXT})?\))?\)")
# What a walk calls what a person does.
WORDS = {"Click": "click", "Fill": "fill", "Select": "select", "Check": "check", "Back": "back"}
COUNTER = """<script>{
let n = %d;
const counter = document.body.appendChild(document.createElement("p"));
const count = () => { counter.textContent = "Count " + n++; };
for (const kind of ["click", "keydown"]) addEventListener(kind, count, true);
count();
}</script></body>"""


def tours(app):
    """Returns the tours of an application: lists of (screen after it, deed, label, value)."""
    source = (SOURCES / app / "tours.rs").read_text()
    bodies = dict(re.findall(r"fn (\w+)\(\) -> Tour \{(.*?)\n\}", source, re.S))
    order = re.search(r"vec!\[([^\]]*)\]", source)[1]
    return [STEP.findall(bodies[name]) for name in re.findall(r"(\w+)\(\)", order)]


class Quiet(http.server.BaseHTTPRequestHandler):
    """Reads bodies, writes answers, and logs nothing."""

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class HandOn(Quiet):
    """Hands requests on to an application."""

    def do_GET(self):
        if not self.may_pass():
            return self.answer(403, [], b"no permit\n")
        there = http.client.HTTPConnection("127.0.0.1", self.server.server_port - RECORDED + SERVED)
        there.request(self.command, self.path, self.body(), dict(self.headers))
        found = there.getresponse()
        body = found.read()
        if "html" in found.getheader("Content-Type", ""):
            body = self.page(body)
        kept = {"content-length", "connection"}
        headers = [one for one in found.getheaders() if one[0].lower() not in kept]
        self.answer(found.status, headers, body)

    do_POST = do_DELETE = do_GET

    def may_pass(self):
        return True

    def page(self, body):
        return body


class Counting(HandOn):
    """Adds the counter to pages."""

    n_pages = 0

    def page(self, body):
        Counting.n_pages += 1000
        return body.replace(b"</body>", (COUNTER % Counting.n_pages).encode())


class Pilot(Quiet):
    """Says the next step of a tour, or the last one in other words if that was not understood."""

    def do_POST(self):
        prompt = json.loads(self.body())["messages"][-1]["content"]
        message = {"content": json.dumps(self.server.reply(prompt))}
        usage = {"prompt_tokens": 1, "completion_tokens": 1}
        choices = [{"message": message, "finish_reason": "stop"}]
        body = json.dumps({"choices": choices, "usage": usage}).encode()
        self.answer(200, [("Content-Type", "application/json")], body)


def serve(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class TourServer(http.server.ThreadingHTTPServer):
    def __init__(self, tour):
        super().__init__(("127.0.0.1", 0), Pilot)
        self.tour, self.at, self.field, self.steps = tour, -1, "", []

    def reply(self, prompt):
        complaint = re.search(r"Wrong with your last answer:\n---- .*\n(.*)", prompt)
        complaint = complaint[1] if complaint else ""
        if complaint:
            print("   ", self.at, self.tour[self.at], complaint, flush=True)
        # Enter that would press something that warns is no step: that is clicked, and asked about.
        held = re.search(r"the key would press '(.*?)': press that.*\n(?!\d)", prompt)
        if held and not complaint:
            return {"action": "click", "target": held[1]}
        # Nor is checking a box that is checked.
        if self.at >= 0 and not complaint:
            self.steps.append(self.tour[self.at])
        if not complaint or "which is so already" in complaint:
            self.at += 1
        if self.at == len(self.tour):
            return {"action": "finish", "answer": "The tour is done."}
        _, deed, label, value = self.tour[self.at]
        if deed == "Press":
            return {"action": "press", "target": self.field, "value": label}
        self.field = label if deed == "Fill" else ""
        number = re.search(r"name one by its number \((\d+)", complaint)
        return {"action": WORDS[deed], "target": number[1] if number else label, "value": value}


def record(navigator, address, tour, folder):
    """Walks a tour; every question is answered with yes. Returns the steps that were taken."""
    pilot = serve(TourServer(tour))
    command = [
        navigator, "browse", address, "--browser", "--goal", folder.name, "--out", folder,
        "--model", "openai/tour", "--base-url", f"http://127.0.0.1:{pilot.server_port}/v1",
        "--free", "--max-steps", "99", "--max-turns", "300", "--max-requests", "9999",
        "--max-time", "1h", "--events", "--ask-on-stdin", "--quiet",
    ]
    walk = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "OPENAI_API_KEY": "none"})
    for line in walk.stderr:
        event = json.loads(line) if line.startswith("{") else {}
        if event.get("event") == "question":
            walk.stdin.write(json.dumps({"id": event["id"], "answer": "yes"}) + "\n")
            walk.stdin.flush()
    if walk.wait() != 0:
        sys.exit(f"{folder}: the walk ended with code {walk.returncode}")
    pilot.shutdown()
    return pilot.steps


def truth(knowledge, start, steps):
    """Returns the steps of the tours, each with the screen after it: its name, and what it is in
    the knowledge."""
    told = []
    for task in knowledge["tasks"]:
        ids = [task["start_screen_id"], *(step["to_screen_id"] for step in task["steps"])]
        taken = [(start, "", "", ""), *steps[task["name"]]]
        if len(ids) != len(taken):
            sys.exit(f"{task['name']}: {len(ids)} screens, and {len(taken)} in the tour")
        told.append([[*step, screen_id] for step, screen_id in zip(taken, ids)])
    return told


class Apps:
    """The applications, begun anew."""

    def __init__(self, serve_apps):
        command = [serve_apps, str(SERVED)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        for _ in APPS:
            self.process.stdout.readline()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def main(navigator, serve_apps, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    with Apps(serve_apps):
        for port, app in enumerate(APPS, RECORDED):
            serve(http.server.ThreadingHTTPServer(("127.0.0.1", port), Counting))
            source = (SOURCES / app / "mod.rs").read_text()
            start = re.search(rf"SCREENS: .*?{TEXT}", source, re.S)[1]
            walks, steps = [], {}
            for number, tour in enumerate(tours(app)):
                walks.append(folder / f"{app}-{number}")
                address = f"http://127.0.0.1:{port}/"
                steps[walks[-1].name] = record(navigator, address, tour, walks[-1])
                print(walks[-1], len(tour), "steps", flush=True)
            file = folder / f"{app}.json"
            subprocess.run([navigator, "knowledge", "build", *walks, "-o", file], check=True)
            told = truth(json.loads(file.read_text()), start, steps)
            file.with_suffix(".tours.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
