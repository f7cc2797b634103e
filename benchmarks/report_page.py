"""How long a report's page takes to make, open and scroll: python benchmarks/report_page.py [--rounds N].

Pages of 100 and of 5,000 changed utterances, all with errors, beside each other in one run, in Debian's Chromium
without a window. Printed are medians: of making the page, of opening it from navigation to the end of its load
event with the first rows drawn, and of a frame while the list is scrolled by 300 pixels a frame; and the ratio
of both pages. The texts are made up, those of the browser tests.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

SIZES = (100, 5_000)
STEPS = 120

OPENED = "const e = performance.getEntriesByType('navigation')[0]; return [e.loadEventEnd, e.domInteractive]"
SCROLL = """
const [steps, done] = arguments;
const list = document.querySelector("#list");
const top = list.getBoundingClientRect().top + scrollY;
const frames = [];
let step = 0;
let before = performance.now();
const next = (now) => {
  frames.push(now - before);
  before = now;
  if (step > steps) return done(frames.slice(2));
  // As far a frame as a fast wheel goes; from the top again at the end.
  scrollTo(0, top + ((step * 300) % (list.offsetHeight - innerHeight)));
  step += 1;
  requestAnimationFrame(next);
};
requestAnimationFrame(next);
"""


def _driver() -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


def _page(folder: Path, size: int) -> tuple[Path, float]:
    """A page of that many changed utterances, and the seconds that making it took."""
    from pytest_asrgate.reports.page import write_page
    from tests.browser.made_reports import many, report

    path = folder / f"{size}.html"
    made = report(folder, {"calls": ("en", many(size))})
    start = time.perf_counter()
    write_page(path, made, folder=folder, audio="none")
    return path, time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = {size: _page(folder, size) for size in SIZES}
        driver = _driver()
        opened: dict[int, list[float]] = {size: [] for size in SIZES}
        frames: dict[int, list[float]] = {size: [] for size in SIZES}
        rows = {}
        for _ in range(rounds):
            for size, (path, _) in pages.items():
                driver.get("about:blank")
                driver.get(path.as_uri())
                opened[size].append(driver.execute_script(OPENED)[0])
                frames[size] += driver.execute_async_script(SCROLL, STEPS)
                rows[size] = driver.execute_script("return document.querySelectorAll('#list .row').length")
        driver.quit()
        small, large = SIZES
        for size in SIZES:
            path, seconds = pages[size]
            slow = quantiles(frames[size], n=100)[98]
            print(
                f"{size:5} changed utterances: page of {path.stat().st_size / 1e6:.2f} MB made in {seconds:.2f} s, "
                f"opened in {median(opened[size]):.0f} ms, {rows[size]} rows in the document; "
                f"frame while scrolling {median(frames[size]):.1f} ms, 99 of 100 below {slow:.1f} ms"
            )
        print(
            f"{large:,} against {small}: opened in {median(opened[large]) / median(opened[small]):.1f} times "
            f"the time, frames {median(frames[large]) / median(frames[small]):.2f} times"
        )


if __name__ == "__main__":
    main()
