// What an opened row shows: the sound, the aligned texts, what the normaliser did, and how it was judged.

function section(title, ...children) {
  return make("section", {}, make("h3", {}, title), ...children);
}

function table(headings, rows) {
  const head = make("tr", {}, headings.map((heading) => make("th", { scope: "col" }, heading)));
  const body = rows.map((cells) => make("tr", {}, cells.map((cell) => make("td", {}, cell))));
  return make("div", { class: "wide" }, make("table", {}, make("thead", {}, head), make("tbody", {}, body)));
}

function soundSection(utterance) {
  const address = soundAddress(utterance.sound);
  if (!address) return null;
  const player = make("audio", { controls: true, preload: "none", src: address });
  player.addEventListener("play", () => sounding.audio.pause());
  const link = soundIsLinked(utterance.sound) ? make("a", { href: address }, "the file") : null;
  return make("div", { class: "player" }, player, link);
}

function diffSections(pair, row, utterance) {
  const language = utterance.lang;
  const against = (name, runs) => {
    const grid = runs.some(([step]) => step !== "=") ? gridDiff(runs, language, pair.metric) : null;
    return section(`${name} against the reference`, grid, listDiff(runs, language));
  };
  const sections = [against(pair.variant, row.runs ?? [])];
  if (row.base_runs) {
    sections.push(against(`${pair.baseline} (baseline)`, row.base_runs));
  } else if (pair.baseline && row.status !== "error" && row.base !== undefined) {
    sections.push(make("p", {}, `${pair.baseline} (baseline) heard the same words.`));
  }
  return sections;
}

function textSection(pair, row, utterance) {
  const text = (value) =>
    value === undefined || value === null ? "—" : make("span", inLanguage(utterance.lang), shown(value) || "(nothing)");
  const rows = [["reference", text(utterance.ref_text), text(utterance.ref)]];
  if (pair.baseline && row.base !== undefined) rows.push([pair.baseline, text(row.base_text), text(row.base)]);
  if (row.status !== "error") rows.push([pair.variant, text(row.text ?? ""), text(row.hyp ?? "")]);
  const hidden = row.masked?.length
    ? make("p", { class: "hidden-difference" }, `The normaliser hides a difference in ${row.masked.join(", ")}.`)
    : null;
  return section("As written, and as compared", table(["", "raw text", "normalised"], rows), hidden);
}

function semanticSection(row, language) {
  const judged = row.semantic;
  if (!judged) return null;
  const text = (value) => make("bdi", inLanguage(language), shown(value) || "∗");
  const voted = (judged.differences ?? []).some((each) => each.votes?.length);
  const rows = (judged.differences ?? []).map((each) => [
    [text(each.ref), " → ", text(each.hyp)],
    make("strong", { class: `label-${each.label}` }, each.label),
    each.decided_by,
    shown(each.reason ?? ""),
    ...(voted ? [(each.votes ?? []).join(", ")] : []),
  ]);
  const headings = ["difference", "label", "decided by", "reason", ...(voted ? ["votes"] : [])];
  const lines = [judged.judge_error && `Judge error: ${judged.judge_error}`, judged.warning];
  const counts = `${judged.substitutions ?? 0} substitutions, ${judged.deletions ?? 0} deletions, `;
  const total = judged.words === undefined ? null : make("p", {}, `${counts}${judged.insertions ?? 0} insertions count.`);
  return section(
    "Does it change the meaning?",
    lines.filter(Boolean).map((line) => make("p", { class: "problem" }, shown(line))),
    rows.length ? table(headings, rows) : null,
    total,
  );
}

function intentSection(row, language) {
  const judged = row.intent;
  if (!judged) return null;
  const text = (value) => make("bdi", inLanguage(language), shown(value) || "∗");
  const word = { 1: "kept", 0: "lost" }[judged.intent_score] ?? "no score";
  const by = judged.decided_by ? ` (${judged.decided_by})` : "";
  const lines = [judged.judge_error && `Judge error: ${judged.judge_error}`, judged.warning];
  const rows = (judged.entities ?? []).map((each) => [
    text(each.text),
    each.kind,
    String(each.importance),
    make("strong", { class: `entity-${each.status}` }, each.status),
    text(each.heard ?? ""),
    each.decided_by,
    shown(each.reason ?? ""),
  ]);
  return section(
    "Intent and entities",
    lines.filter(Boolean).map((line) => make("p", { class: "problem" }, shown(line))),
    make("p", {}, `Intent ${word}${by}. ${shown(judged.intent_explanation ?? "")}`),
    rows.length
      ? table(["entity", "kind", "importance", "what became of it", "heard", "decided by", "reason"], rows)
      : null,
  );
}

function factsSection(pair, row, utterance) {
  const unit = pair.metric === "cer" ? "character" : "word";
  const facts = [
    ["dataset", utterance.dataset],
    ["status", row.status ?? "ok"],
    ["length", utterance.seconds == null ? null : `${utterance.seconds.toFixed(2)} s`],
    ["time of the engine", row.ms === undefined ? null : `${Math.round(row.ms)} ms`],
    ["reference", row.words === undefined ? null : plural(row.words, unit)],
    ["longest run of deletions", row.dropped ? plural(row.dropped, unit) : null],
    ["tags", utterance.tags?.length ? utterance.tags.join(", ") : null],
    ["note", row.detail || null],
  ].filter(([, value]) => value !== null);
  const items = facts.map(([name, value]) =>
    make("li", {}, make("span", { class: "muted" }, `${name} `), shown(String(value))),
  );
  return make("ul", { class: "facts" }, items);
}

/** Everything that is known of one utterance of a pair. */
function details(pair, row, utterance) {
  const lost = row.status === "error" ? make("p", { class: "problem" }, shown(row.detail || "no output")) : null;
  return make(
    "div",
    { class: "details" },
    soundSection(utterance),
    lost,
    row.status === "error" ? null : diffSections(pair, row, utterance),
    textSection(pair, row, utterance),
    semanticSection(row, utterance.lang),
    intentSection(row, utterance.lang),
    factsSection(pair, row, utterance),
  );
}
