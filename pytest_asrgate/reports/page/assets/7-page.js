// The utterances of one pair at a time: its buttons, its list, and the address that leads back to a row.

const view = { pair: null, rows: [], list: null, asked: { search: "", flag: "", tag: "", sort: "worst", ids: null } };
const byId = (id) => document.getElementById(id);

/** Tell it to screen readers, and show it. */
function say(text) {
  byId("said").textContent = text;
}

function costText(pair, row) {
  if (row.status === "error") return "no score";
  const unit = plural(row.errors ?? 0, "error");
  return row.before === undefined ? unit : `${unit}, baseline ${row.before}`;
}

function costBadge(row) {
  if (row.status === "error") return make("span", { class: "badge worse" }, "error");
  if (row.before === undefined) return make("span", { class: "badge" }, String(row.errors ?? 0));
  const change = (row.errors ?? 0) - row.before;
  const kind = change > 0 ? "worse" : change < 0 ? "better" : "same";
  return make("span", { class: `badge ${kind}`, title: "errors more than the baseline" }, signed(change));
}

function flagLabels(row) {
  const labels = DATA.flags.filter(({ flag, quiet }) => row.flags?.includes(flag) && !quiet);
  return labels.map(({ flag, title, explanation }) => make("span", { class: `flag flag-${flag}`, title: explanation }, title));
}

function buildRow(place, opened) {
  const row = view.rows[place];
  const spoken = spokenOf(row);
  const detail = `detail-${place}`;
  const toggle = () => {
    view.list.open(opened ? -1 : place);
    remember(opened ? null : spoken.id);
  };
  const button = make(
    "button",
    { class: "open", type: "button", "aria-expanded": String(opened), "aria-controls": detail, "data-place": place },
    costBadge(row),
    make("span", { class: "id" }, shown(spoken.id)),
    make("span", { class: "cost" }, costText(view.pair, row)),
  );
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    toggle();
  });
  const text =
    row.status === "error"
      ? make("p", { class: "diff problem" }, shown(row.detail || "no output"))
      : make("p", { class: "diff", ...inLanguage(spoken.lang) }, inlineDiff(row.runs ?? [], view.pair.metric, !opened));
  const head = make(
    "div",
    {
      class: "row-head",
      onclick: () => {
        if (!String(window.getSelection())) toggle();
      },
    },
    playButton(spoken.sound, spoken.id),
    make("div", { class: "row-title" }, button, flagLabels(row)),
    text,
  );
  const made = make("div", { class: opened ? "row opened" : "row", role: "listitem" }, head);
  made.append(make("div", { id: detail, hidden: !opened }, opened ? details(view.pair, row, spoken) : ""));
  return made;
}

function showRows() {
  stopSounds();
  view.rows = chosenRows(view.pair, view.asked);
  view.list.reset(view.rows.length);
  if (location.hash.startsWith("#row=")) remember(null);
  const { total, rows } = view.pair;
  const clean = total - rows.length;
  const rest = clean ? `; the other ${clean.toLocaleString("en")} of ${total.toLocaleString("en")} have no error and no change` : "";
  const all = plural(rows.length, "utterance");
  say(`${view.rows.length === rows.length ? all : `${view.rows.length.toLocaleString("en")} of ${all}`} shown${rest}`);
  byId("nothing").hidden = view.rows.length > 0;
  byId("clear-words").hidden = !view.asked.ids;
}

function pressed(container, value) {
  for (const button of container.querySelectorAll("button[data-value]"))
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
}

function showFlags() {
  const pick = (flag) => () => {
    view.asked.flag = view.asked.flag === flag ? "" : flag;
    pressed(byId("flags"), view.asked.flag);
    showRows();
  };
  const buttons = DATA.flags
    .filter(({ flag }) => view.pair.flags[flag])
    .map(({ flag, title, explanation }) =>
      make(
        "button",
        { type: "button", class: `chip flag-${flag}`, title: explanation, "data-value": flag, onclick: pick(flag) },
        `${title} `,
        make("b", {}, view.pair.flags[flag].toLocaleString("en")),
      ),
    );
  const all = make("button", { type: "button", class: "chip", "data-value": "", onclick: pick("") }, "all ");
  all.append(make("b", {}, view.pair.rows.length.toLocaleString("en")));
  byId("flags").replaceChildren(all, ...buttons);
  pressed(byId("flags"), view.asked.flag);
}

function showWords() {
  const pick = (ids, label) => () => {
    view.asked.ids = ids;
    view.asked.flag = "";
    byId("clear-words").textContent = `× only: ${shown(label)}`;
    pressed(byId("flags"), "");
    showRows();
    byId("list").scrollIntoView({ block: "start" });
  };
  const items = (view.pair.words ?? []).map((word) => {
    const sides = [word.ref && make("del", {}, shown(word.ref)), " ", word.hyp && make("ins", {}, shown(word.hyp))];
    const before = word.before === undefined || word.before === null ? "" : `, baseline ${word.before}`;
    const label = [word.ref, word.hyp].filter(Boolean).join(" → ");
    const said = word.ref && word.hyp ? `expected ${word.ref}, heard ${word.hyp}` : word.ref ? `missing ${word.ref}` : `added ${word.hyp}`;
    const named = { "aria-label": `${shown(said)}: ${word.count} times${before}` };
    const button = make("button", { type: "button", class: "chip word", onclick: pick(word.ids, label), ...named });
    button.append(make("bdi", {}, sides.filter(Boolean)), ` ${word.count}×${before}`);
    return make("li", {}, button);
  });
  byId("words").hidden = items.length === 0;
  const oftener = view.pair.baseline ? `Words that go wrong oftener than with ${view.pair.baseline}` : "Words that go wrong most often";
  byId("words-title").textContent = shown(oftener);
  byId("word-list").replaceChildren(...items);
}

function showPair(number) {
  view.pair = DATA.pairs[number];
  view.asked = { ...view.asked, flag: "", tag: "", ids: null };
  byId("pair").value = String(number);
  const tags = tagsOf(view.pair);
  const options = tags.map((tag) => make("option", { value: tag }, shown(tag)));
  byId("tag").replaceChildren(make("option", { value: "" }, "all"), ...options);
  byId("tag-choice").hidden = tags.length === 0;
  showFlags();
  showWords();
  showRows();
}

/** The address of a row, for whoever is sent there; null takes it away. */
function remember(id) {
  try {
    // Half a character has no address.
    const names = [view.pair.variant, view.pair.dataset, id ?? ""].map(encodeURIComponent);
    const place = id === null ? "" : `#row=${names.join("/")}`;
    history.replaceState(null, "", place || location.pathname + location.search);
  } catch {
    // Some places that show pages allow no addresses; everything else works without.
  }
}

function showAddressed() {
  if (!location.hash.startsWith("#row=")) return false;
  let names;
  try {
    names = location.hash.slice("#row=".length).split("/").map(decodeURIComponent);
  } catch {
    return false;
  }
  const number = DATA.pairs.findIndex((pair) => pair.variant === names[0] && pair.dataset === names[1]);
  if (number < 0) return false;
  view.asked.search = "";
  byId("search").value = "";
  showPair(number);
  const place = view.rows.findIndex((row) => spokenOf(row).id === names[2]);
  if (place >= 0) {
    view.list.open(place);
    view.list.focus(place);
    view.list.show(place).scrollIntoView({ block: "start" });
    remember(names[2]);
  } else {
    say(`There is no such utterance here, or nothing to see of it: ${shown(names[2] ?? "")}`);
  }
  return true;
}

function moveWithKeys(event) {
  const button = event.target.closest?.("button.open");
  if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = Number(button.dataset.place);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: view.rows.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    view.list.focus(to);
  } else if (event.key === "p") {
    const { sound } = spokenOf(view.rows[place]);
    if (sound !== undefined && sound !== null) toggleSound(sound);
  }
}
