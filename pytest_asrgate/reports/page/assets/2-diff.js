// The aligned differences of one utterance. A run is [step, reference, hypothesis]; a step is "=", "S", "D" or "I".

const STEP_NAMES = { S: "substituted", D: "missing", I: "added" };

// In an excerpt, so many words of what is equal stand on either side of a difference.
const AROUND = 4;

/** What is equal, shortened where it is long: an excerpt shows what differs. */
function excerpt(text, first, last) {
  const words = text.split(" ");
  if (words.length <= 2 * AROUND + 1 || (first && last)) return text;
  const head = first ? [] : words.slice(0, AROUND);
  const tail = last ? [] : words.slice(-AROUND);
  return [...head, "…", ...tail].join(" ");
}

/** The differences in the running text, what was expected struck out before what was heard. */
function inlineDiff(runs, metric, short) {
  const gap = metric === "cer" ? "" : " ";
  const parts = [];
  runs.forEach(([step, reference, hypothesis], place) => {
    if (place) parts.push(gap);
    if (step === "=") {
      const text = reference || hypothesis;
      parts.push(shown(short ? excerpt(text, place === 0, place === runs.length - 1) : text));
      return;
    }
    if (reference) parts.push(make("del", { title: `${STEP_NAMES[step]}: expected` }, shown(reference)));
    if (reference && hypothesis) parts.push(gap);
    if (hypothesis) parts.push(make("ins", { title: `${STEP_NAMES[step]}: heard` }, shown(hypothesis)));
  });
  return parts;
}

// In an hour of speech nobody reads the words that are equal, nor more differences than these at once.
const LONG_TEXT = 400;
const MOST_LISTED = 100;

/** Reference above hypothesis, column by column; it wraps, so it fits on a phone. */
function gridDiff(runs, language, metric) {
  const length = runs.reduce((sum, [, reference]) => sum + reference.split(" ").length, 0);
  const columns = runs.flatMap(([step, reference, hypothesis], place) => {
    if (step !== "=" || metric === "cer" || reference !== hypothesis) return [[step, reference, hypothesis]];
    const text = length > LONG_TEXT ? excerpt(reference, place === 0, place === runs.length - 1) : reference;
    return text.split(" ").map((word) => ["=", word, word]);
  });
  const cells = columns.map(([step, reference, hypothesis]) =>
    make(
      "span",
      { class: `column step-${step === "=" ? "equal" : step}` },
      make("span", { class: "expected" }, shown(reference) || "∗"),
      make("span", { class: "heard" }, shown(hypothesis) || "∗"),
      make("span", { class: "step" }, step === "=" ? "" : step),
    ),
  );
  // Read out word by word in two rows this says nothing; the list of differences says it.
  return make("div", { class: "grid", "aria-hidden": "true", ...inLanguage(language) }, cells);
}

/** The differences alone, as a list. */
function listDiff(runs, language) {
  const wrong = runs.filter(([step]) => step !== "=");
  if (!wrong.length) return make("p", {}, "No difference in the normalised texts.");
  const text = (word) => make("bdi", inLanguage(language), shown(word));
  const items = wrong.slice(0, MOST_LISTED).map(([step, reference, hypothesis]) => {
    const sides = [reference && text(reference), reference && hypothesis && " → ", hypothesis && text(hypothesis)];
    return make("li", { class: `step-${step}` }, `${STEP_NAMES[step]}: `, sides.filter(Boolean));
  });
  const more = wrong.length - items.length;
  if (more > 0) items.push(make("li", {}, `and ${plural(more, "difference")} more, marked in the texts above`));
  return make("ul", { class: "differences" }, items);
}
