"""Take the picture of the README: python benchmarks/page_picture.py PAGE.html OUT.png [--row VARIANT/DATASET/ID].

PAGE.html is what `pytest -m wer --asrgate-html=PAGE.html` wrote; the picture has its top, or with --row that
utterance opened, in Debian's Chromium without a window.
"""

import argparse
import shutil
import time
from pathlib import Path


def main() -> None:
    """Open the page and keep what is in view."""
    from selenium import webdriver

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--row", default="")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--height", type=int, default=1180)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    options = parser.parse_args()
    chrome = webdriver.ChromeOptions()
    chrome.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        chrome.add_argument(argument)
    driver = webdriver.Chrome(options=chrome, service=webdriver.ChromeService(shutil.which("chromedriver")))
    size = {"width": options.width, "height": options.height, "deviceScaleFactor": 1, "mobile": options.width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    theme = [{"name": "prefers-color-scheme", "value": options.theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": theme})
    driver.get(options.page.resolve().as_uri() + (f"#row={options.row}" if options.row else ""))
    # Drawing ends within a few frames; the picture is taken once, so a moment costs nothing.
    time.sleep(1)
    driver.save_screenshot(str(options.out))
    driver.quit()


if __name__ == "__main__":
    main()
