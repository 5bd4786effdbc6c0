"""A picture of a run's report, for a README: `python -m reports.screenshot RUN OUT.png`.

Makes the report first if it is missing. Needs Chromium and playwright (the `test` extra). The
stated time is hidden, so that the picture changes only when the report does.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.cli import main as grader
from grader.errors import UserError
from grader.run import RunDirectory

WIDTH, HEIGHT, SCALE = 1180, 1020, 1.5
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--hide-scrollbars")


def take(page: Path, out: Path, browser_path: str) -> None:
    """Photograph the top of a report page, in light colours."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(ARGUMENTS))
        tab = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            device_scale_factor=SCALE,
            color_scheme="light",
        )
        tab.goto(page.resolve().as_uri())
        tab.add_style_tag(content="#made { display: none }")
        out.parent.mkdir(parents=True, exist_ok=True)
        tab.screenshot(path=str(out))
        browser.close()


def find_browser(given: str | None = None) -> str:
    """The browser to use. Raises `UserError` if there is none."""
    names = (given,) if given else BROWSERS
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise UserError(f"no browser found ({', '.join(names)}); install Chromium or use --browser")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; exit code 0, or 2 with a message."""
    parser = argparse.ArgumentParser(prog="python -m reports.screenshot", description=__doc__)
    parser.add_argument("run_directory", metavar="RUN", type=Path)
    parser.add_argument("out", metavar="OUT.png", type=Path)
    parser.add_argument("--browser", metavar="PATH", help="a Chromium (default: found on the path)")
    options = parser.parse_args(arguments)
    try:
        browser = find_browser(options.browser)
        page = RunDirectory(options.run_directory).report_path / "index.html"
        if not page.is_file() and (code := grader(["report", str(options.run_directory)])):
            return code
        take(page, options.out, browser)
    except UserError as error:
        sys.stderr.write(f"screenshot: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
