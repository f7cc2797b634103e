"""A real browser without a window; the tests of this folder are skipped where there is none."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.reports.json_report import Report
from pytest_asrgate.reports.page import write_page

from .made_reports import report

# Debian's first; the runners of GitHub have Google's.
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

# Where pictures of the page are kept to be looked at; nowhere unless it is set.
PICTURES = os.environ.get("ASRGATE_PICTURES")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once for all tests."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if BROWSER is None or DRIVER is None:
        pytest.skip("chromium and chromium-driver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in (
        "--headless=new",
        # Tests run as root in CI, where the browser's own sandbox cannot start.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--autoplay-policy=no-user-gesture-required",
        "--window-size=1280,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


class Page:
    """One report opened in the browser."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        self.path = path
        # What an earlier page said is not this one's.
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(path.as_uri())

    def __call__(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, result: str = "null") -> Any:
        """Wait until an expression of the page is true, and return another one; the driver's time-out ends it."""
        script = "const done = arguments[0]; const look = () => (%s) ? done(%s) : setTimeout(look, 20); look()"
        return self.driver.execute_async_script(script % (condition, result))

    def search(self, text: str) -> None:
        """Type into the search field."""
        field = "const e = document.querySelector('#search'); "
        self(f"{field} e.value = arguments[0]; e.dispatchEvent(new Event('input'))", text)

    def texts(self, selector: str) -> list[str]:
        """What each element says that is in the document, seen or not."""
        found: list[str] = self(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )
        return found

    def click(self, selector: str) -> None:
        """Click the first element, scrolled into view."""
        element = self.driver.find_element("css selector", selector)
        self("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list by its value, as a person does."""
        self(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1]; "
            "e.dispatchEvent(new Event('change'))",
            selector,
            value,
        )

    def choose_pair(self, variant: str, dataset: str) -> None:
        """Show the utterances of a pair."""
        number = self(
            "return [...document.querySelectorAll('#pair option')]"
            ".findIndex(o => o.textContent.startsWith(arguments[0] + ' · ' + arguments[1] + ' ·'))",
            variant,
            dataset,
        )
        assert number >= 0
        self.choose("#pair", str(number))

    def problems(self) -> list[str]:
        """What the browser's console complains about."""
        return [
            line["message"] for line in self.driver.get_log("browser") if line["level"] in {"SEVERE", "WARNING"}
        ]

    def resize(self, width: int, height: int = 900) -> None:
        """Give the page this many pixels, as a phone would."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def theme(self, name: str) -> None:
        """Let the system prefer light or dark."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def picture(self, name: str) -> None:
        """Keep a picture of what is in view, where ASRGATE_PICTURES names a folder."""
        if PICTURES:
            self.driver.save_screenshot(str(Path(PICTURES) / f"{name}.png"))


@pytest.fixture(name="open_page")
def fixture_open_page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Write a report as a page and open it."""

    def opened(made: Report | None = None, *, audio: str = "none") -> Page:
        path = tmp_path / "page.html"
        write_page(path, made or report(tmp_path), folder=tmp_path, audio=audio)
        return Page(browser, path)

    yield opened
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
