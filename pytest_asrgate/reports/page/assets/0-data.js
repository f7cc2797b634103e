// The rows of the report, as JSON beside this script; see rows.py for what each key holds.

const DATA = JSON.parse(document.getElementById("asrgate-data").textContent);
