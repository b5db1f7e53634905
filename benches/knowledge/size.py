#!/usr/bin/env python3
"""Measures large knowledges: the time to open, the peak memory, and the slowest question of each
kind, asked over MCP on one core. Times are those on the core.

    size.py NAVIGATOR MANUAL FOLDER [--manuals N]... [--imported N]...

MANUAL is the generator of manuals (`cargo build --release -p manual`). `--manuals 5` makes a
knowledge of five manuals of three vehicles each, `--imported 5000` imports one of 5 000 screens as
other agents write them. Without either it takes 2, 5 and 8 manuals, and 5 000 screens. What FOLDER
has already is not made again.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess

N_ASKED = 40
ACTIONS = 8


def manuals(args, n):
    """Returns a knowledge of so many manuals."""
    file = args.folder / f"manuals-{n}.json"
    if file.exists():
        return file
    pages = args.folder / f"manuals-{n}"
    for seed in range(1, n + 1):
        write = [args.manual, "write", pages / f"s{seed}", "--form", "folders"]
        subprocess.run([*write, "--seed", str(seed), "--vehicles", "3"], check=True)
    links = [f'<li><a href="s{seed}/index.html">Manual {seed}</a>' for seed in range(1, n + 1)]
    (pages / "index.html").write_text(f"<title>Manuals</title><ul>{''.join(links)}</ul>")
    build = [args.navigator, "knowledge", "build", f"file://{pages.resolve()}", "-o", file]
    subprocess.run(build, check=True)
    return file


def imported(args, n):
    """Returns an imported knowledge of so many screens, each with ways to some others."""
    file = args.folder / f"imported-{n}.json"
    if file.exists():
        return file
    chance = random.Random(1)
    screens, ways = [], []
    for at in range(n):
        name = f"Area {at % 70} form {at}"
        names = [f"Open part {part} of {at}" for part in range(ACTIONS)]
        texts = [(name, "h1"), (f"Save form {at}", "button"), (f"Number of case {at}", "input")]
        screens.append({
            "screen_id": f"form_{at}",
            "name": name,
            "url_patterns": [rf"^https://app\.example\.com/area-{at % 70}/form-{at}(/\d+)?$"],
            "state_signature": {"required_indicators": [
                {"type": "dom_contains", "value": text, "selector": selector}
                for text, selector in texts
            ]},
            "business_words": [f"Case {at}", "Customer"],
            "actions": [
                {"action_id": f"{at}_{part}", "action_type": "click", "role": "button",
                 "name": name}
                for part, name in enumerate(names)
            ],
            "addresses": [{
                "address": f"https://app.example.com/area-{at % 70}/form-{at}",
                "title": name, "opens": at % 50 == 0,
            }],
        })
        for part in range(ACTIONS):
            to = (at + 1) % n if part == 0 else chance.randrange(n)
            ways.append({
                "from_screen_id": f"form_{at}", "to_screen_id": f"form_{to}",
                "action_id": f"{at}_{part}", "times_seen": 0, "last_seen": [0, 0],
                "address": f"https://app.example.com/area-{to % 70}/form-{to}",
            })
    theirs = args.folder / f"imported-{n}-theirs.json"
    theirs.write_text(json.dumps({"screens": screens, "transitions": ways}))
    subprocess.run([args.navigator, "knowledge", "import", theirs, "-o", file], check=True)
    return file


def questions(known):
    """Returns kinds of questions with what is asked."""
    chance = random.Random(2)
    screens = [one for one in known["screens"] if one["addresses"]]
    some = [chance.choice(screens) for _ in range(N_ASKED)]
    pairs = list(zip(some, some[1:] + some[:1]))
    text = lambda one: "\n".join(
        [one["name"], *one["business_words"], *(action["name"] for action in one["actions"])])
    url = lambda one: chance.choice(one["addresses"])["address"]

    def ask(kind, target="", **context):
        return {"instruction_type": kind, "target": target, "context": context}

    def way(target, start):
        return ask("navigate_to_screen", target, current_screen_id=start["screen_id"])

    return {
        "way to an identifier": [way(to["screen_id"], start) for to, start in pairs],
        "way to an address": [way(url(to), start) for to, start in pairs],
        "way to words": [way(to["name"], start) for to, start in pairs],
        "way to words that no name has": [way(f"zyx {at} wvu", pairs[0][0]) for at in range(5)],
        "way from an address and a text": [
            ask("navigate_to_screen", to["screen_id"], current_url=url(start),
                dom_summary=text(start)) for to, start in pairs],
        "task": [ask("execute_task", to["name"]) for to, _ in pairs],
        "screen of an address": [ask("find_screen", current_url=url(one)) for one in some],
        "screen of an unknown address": [
            ask("find_screen", current_url=url(one) + "/x/y") for one in some],
        "screen of a text": [ask("find_screen", dom_summary=text(one)) for one in some],
        "screen of both": [
            ask("find_screen", current_url=url(one), dom_summary=text(one)) for one in some],
        "actions": [ask("get_actions", one["screen_id"]) for one in some],
        "context": [ask("get_screen_context", one["screen_id"]) for one in some],
        "gaps of a screen": [ask("fill_action_gaps", one["screen_id"]) for one in some],
        "all gaps": [ask("fill_action_gaps")] * 5,
    }


class Server:
    """A server over standard input and output, on one core."""

    def __init__(self, args, file):
        empty = args.folder / "empty"
        empty.mkdir(exist_ok=True)
        self.number = 0
        self.child = subprocess.Popen(
            ["taskset", "-c", str(args.core), args.navigator, "mcp", empty, "--knowledge", file],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.call("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "size", "version": "1"}})
        self.opened = self.taken()
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.child.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            line = self.child.stdout.readline()
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer

    def ask(self, question):
        """Returns what a question takes of the core in seconds, and its answer."""
        arguments = {**question, "tokens": 1_000_000}
        begin = self.taken()
        answer = self.call("tools/call", {"name": "ask_knowledge", "arguments": arguments})
        took = self.taken() - begin
        return took, "\n".join(one["text"] for one in answer["result"]["content"])

    def taken(self):
        """Returns the time on the core so far, in seconds: others may be busy there too."""
        tasks = pathlib.Path(f"/proc/{self.child.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def memory(self, name):
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith(name))
        return int(line.split()[1]) / 1024


def measure(args, file):
    known = json.loads(file.read_text())
    asked = questions(known)
    n_bytes = file.stat().st_size / 1e6
    print(f"{file.stem}: {len(known['screens'])} screens, {len(known['transitions'])} ways, "
          f"{n_bytes:.0f} MB")
    known = None
    server = Server(args, file)
    print(f"  opens in {server.opened:.2f} s, at most {server.memory('VmHWM'):.0f} MB, "
          f"then {server.memory('VmRSS'):.0f} MB")
    for kind, some in asked.items():
        answers = [server.ask(one) for one in some]
        times = sorted(took for took, _ in answers)
        n_bytes = max(len(text) for _, text in answers)
        print(f"  {kind:31} {times[-1] * 1e3:6.1f} ms at most, {times[len(times) // 2] * 1e3:6.1f} "
              f"in the middle, {n_bytes:8} bytes")
        if args.answers:
            with args.answers.open("a") as out:
                for one, (_, text) in zip(some, answers):
                    out.write(json.dumps([file.stem, one, text]) + "\n")
    print(f"  in all at most {server.memory('VmHWM'):.0f} MB")
    server.child.stdin.close()
    server.child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    path = lambda text: pathlib.Path(text).resolve()
    for name in ["navigator", "manual", "folder"]:
        parser.add_argument(name, type=path)
    parser.add_argument("--manuals", type=int, action="append")
    parser.add_argument("--imported", type=int, action="append")
    parser.add_argument("--core", type=int, default=0, help="the core that the server runs on")
    parser.add_argument("--answers", type=pathlib.Path, help="add all answers to this file")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.manuals is args.imported is None:
        args.manuals, args.imported = [2, 5, 8], [5_000]
    for make, sizes in [(manuals, args.manuals), (imported, args.imported)]:
        for n in sizes or []:
            measure(args, make(args, n))


if __name__ == "__main__":
    main()
