"""Clicks what the benchmark names, and prints for each way of waiting the milliseconds until the
snapshot is there, and whether it has what the click leads to."""

import json
import sys
import time

from playwright.sync_api import sync_playwright

asked = json.loads(sys.argv[1])
WAYS = {
    "Playwright, its click alone": lambda page: None,
    "Playwright, until `networkidle`": lambda page: page.wait_for_load_state("networkidle"),
}


def measured(browser, wait):
    page = browser.new_page()
    page.goto(asked["address"])
    page.wait_for_load_state("networkidle")
    for _ in range(asked["rounds"]):
        for label, after in asked["clicks"]:
            begun = time.perf_counter()
            page.locator("a, button, [role=tab]").filter(has_text=label, visible=True).first.click()
            wait(page)
            shown = page.locator("body").aria_snapshot()
            yield (time.perf_counter() - begun) * 1e3, after in shown
            # The next click begins on a page that is complete, whatever this way has waited for.
            while after not in page.locator("body").aria_snapshot():
                if time.perf_counter() - begun > 10:
                    sys.exit(f"`{label}` does not lead to `{after}`")
                time.sleep(0.02)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=asked["chromium"], args=["--no-sandbox"])
    print(json.dumps([(way, list(measured(browser, wait))) for way, wait in WAYS.items()]))
