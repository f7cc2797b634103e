// Which rows of a pair are shown, and in what order.

const SORTS = {
  worst: ["worst against the baseline", () => 0],
  errors: ["most errors", (a, b) => cost(b) - cost(a)],
  slowest: ["slowest", (a, b) => (b.ms ?? -1) - (a.ms ?? -1)],
  longest: ["longest", (a, b) => (spokenOf(b).seconds ?? -1) - (spokenOf(a).seconds ?? -1)],
  name: ["id", (a, b) => spokenOf(a).id.localeCompare(spokenOf(b).id, "en", { numeric: true })],
};

function spokenOf(row) {
  return DATA.utterances[row.u];
}

/** Errors of a row; one that is lost costs most. */
function cost(row) {
  return row.status === "error" ? Infinity : (row.errors ?? 0);
}

/** Everything of a row that a search looks through, in lower case; made when it is first asked for. */
function searched(row) {
  if (row.searched === undefined) {
    const spoken = spokenOf(row);
    const texts = [spoken.id, spoken.ref, spoken.ref_text, row.hyp, row.text, row.base, row.base_text, row.detail];
    row.searched = texts.filter(Boolean).join("\n").toLocaleLowerCase();
  }
  return row.searched;
}

/** The rows of a pair that fulfil everything that is asked for, in the order asked for. */
function chosenRows(pair, asked) {
  const words = asked.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const wanted = asked.ids && new Set(asked.ids);
  const rows = pair.rows.filter((row) => {
    const spoken = spokenOf(row);
    if (asked.flag && !row.flags?.includes(asked.flag)) return false;
    if (asked.tag && !spoken.tags?.includes(asked.tag)) return false;
    if (wanted && !wanted.has(spoken.id)) return false;
    return words.every((word) => searched(row).includes(word));
  });
  // Rows come worst first; sorting keeps that order among equals.
  return asked.sort === "worst" ? rows : [...rows].sort(SORTS[asked.sort][1]);
}

function tagsOf(pair) {
  return [...new Set(pair.rows.flatMap((row) => spokenOf(row).tags ?? []))].sort();
}
