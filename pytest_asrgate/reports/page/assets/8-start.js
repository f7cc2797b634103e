// Puts the page together once it is there: choices, keys, theme and printing.

// So many rows are printed; a page of thousands helps nobody on paper.
const PRINTED = 100;

function startChoices() {
  const options = DATA.pairs.map((pair, number) =>
    make("option", { value: number }, shown(`${pair.variant} · ${pair.dataset} · ${pair.word}`)),
  );
  byId("pair").replaceChildren(...options);
  byId("sort").replaceChildren(...Object.entries(SORTS).map(([key, [title]]) => make("option", { value: key }, title)));
  byId("pair").addEventListener("change", () => showPair(Number(byId("pair").value)));
  for (const name of ["sort", "tag"])
    byId(name).addEventListener("change", () => {
      view.asked[name] = byId(name).value;
      showRows();
    });
  let typing;
  byId("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      view.asked.search = byId("search").value;
      showRows();
    }, 120);
  });
  byId("clear-words").addEventListener("click", () => {
    view.asked.ids = null;
    showRows();
    // The button is gone now, and the focus must be somewhere.
    byId("words-title").focus();
  });
  for (const link of document.querySelectorAll("a[data-pair]"))
    link.addEventListener("click", () => {
      const [variant, dataset] = JSON.parse(link.dataset.pair);
      const number = DATA.pairs.findIndex((pair) => pair.variant === variant && pair.dataset === dataset);
      if (number >= 0) showPair(number);
    });
}

function startTheme() {
  const themes = ["auto", "light", "dark"];
  const set = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    byId("theme").textContent = `Theme: ${theme}`;
    byId("theme").dataset.now = theme;
  };
  let kept = "auto";
  try {
    kept = localStorage.getItem("asrgate-theme") ?? "auto";
  } catch {
    // A page opened from a file may keep nothing.
  }
  set(themes.includes(kept) ? kept : "auto");
  byId("theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(byId("theme").dataset.now) + 1) % themes.length];
    set(next);
    try {
      localStorage.setItem("asrgate-theme", next);
    } catch {
      // As above.
    }
  });
}

function startPrinting() {
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const each of closed) each.open = true;
    const rows = view.rows.slice(0, PRINTED).map((row) => {
      const spoken = spokenOf(row);
      const text = row.status === "error" ? [shown(row.detail ?? "")] : inlineDiff(row.runs ?? [], view.pair.metric, false);
      const head = make("p", {}, make("b", {}, shown(spoken.id)), ` ${costText(view.pair, row)} `, flagLabels(row));
      return make("li", {}, head, make("p", { class: "diff", ...inLanguage(spoken.lang) }, text));
    });
    const more = view.rows.length - rows.length;
    const title = `${view.pair.variant} on ${view.pair.dataset}`;
    const chosen = [
      DATA.flags.find(({ flag }) => flag === view.asked.flag)?.title,
      view.asked.tag && `slice ${view.asked.tag}`,
      view.asked.search && `search “${view.asked.search}”`,
      `order: ${SORTS[view.asked.sort][0]}`,
    ];
    byId("printed").replaceChildren(
      make("h3", {}, shown(title)),
      make("p", {}, `${byId("said").textContent} (${shown(chosen.filter(Boolean).join(", "))})`),
      make("ol", {}, rows),
      more > 0 ? make("p", {}, `and ${more.toLocaleString("en")} more`) : "",
    );
  });
  window.addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
    byId("printed").replaceChildren();
  });
}

function start() {
  startTheme();
  if (!DATA.pairs.length) return;
  view.list = new VirtualList(byId("list"), buildRow);
  startChoices();
  startPrinting();
  byId("list").addEventListener("keydown", moveWithKeys);
  window.addEventListener("hashchange", showAddressed);
  if (!showAddressed()) showPair(DATA.first);
}

start();
