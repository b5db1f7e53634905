#!/usr/bin/env python3
"""Asks two questions about each of some vehicles of a generated manual, the second one without and
with a knowledge of the first one's walk alone, and prints steps, requests and right answers.

    second.py NAVIGATOR MANUAL FOLDER [--seed N] [--pairs N] [--form tree|folders]

MANUAL is the generator of manuals (`cargo build --release -p manual`). Each walk starts at the
front page, without a model. FOLDER keeps the walks; it must be empty.
"""

import argparse
import json
import os
import pathlib
import subprocess

# Enough questions that so many vehicles have two.
N_QUESTIONS = 2_000


def pairs(args):
    """Returns two questions of different pages for each of the first vehicles that have two."""
    ask = [args.manual, "questions", "--seed", args.seed, "--form", args.form, "-n", N_QUESTIONS]
    lines = subprocess.run([*map(str, ask)], check=True, capture_output=True, text=True).stdout
    vehicles = {}
    for question in map(json.loads, lines.splitlines()):
        of_vehicle = vehicles.setdefault(question["vehicle"], [])
        if len(of_vehicle) < 2 and all(one["address"] != question["address"] for one in of_vehicle):
            of_vehicle.append(question)
    return [both for both in vehicles.values() if len(both) == 2][: args.pairs]


def walk(args, site, question, folder, more=()):
    """Walks for a question and returns its steps, its requests, and whether the answer is right."""
    goal = question["question"]
    if question["vehicle"] not in goal:
        goal = f"{goal.rstrip('?')} on a {question['vehicle']}?"
    command = [args.navigator, "browse", site, "--goal", goal, "--out", folder, "--delay", "0"]
    subprocess.run([*command, "--quiet", *more], stdout=subprocess.DEVNULL)
    report = json.loads((folder / "report.json").read_text())
    used = report["resources"]
    return used["steps"], used["requests"], question["answer"] in (report["answer"] or "")


def measured(args, site):
    """Returns the walks: the first questions, the second ones without and with a knowledge."""
    first, alone, known = [], [], []
    for at, (one, other) in enumerate(pairs(args)):
        folders = [args.folder / f"{at}-{name}" for name in ("first", "alone", "known")]
        first.append(walk(args, site, one, folders[0]))
        alone.append(walk(args, site, other, folders[1]))
        file = args.folder / f"{at}.json"
        build = [args.navigator, "knowledge", "build", folders[0], "-o", file]
        subprocess.run(build, check=True, capture_output=True)
        known.append(walk(args, site, other, folders[2], ["--knowledge", file]))
    return first, alone, known


def row(name, walks):
    """Prints the means of some walks."""
    steps, requests, right = (sum(one) for one in zip(*walks))
    n = len(walks)
    print(f"{name:38} {steps / n:6.2f} steps {requests / n:6.2f} requests {right:4} of {n} right")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("navigator", type=pathlib.Path)
    parser.add_argument("manual", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--form", choices=["tree", "folders"], default="tree")
    args = parser.parse_args()
    # The runs of a person who measures are no part of this.
    os.environ["HOME"] = str(args.folder)
    serve = [args.manual, "serve", "--seed", str(args.seed), "--form", args.form]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        try:
            first, alone, known = measured(args, server.stdout.readline().strip())
        finally:
            server.terminate()
    row("first question", first)
    row("second question, nothing known", alone)
    row("second question, with the knowledge", known)


if __name__ == "__main__":
    main()
