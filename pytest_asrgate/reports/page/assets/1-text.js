// Elements and texts. Every text goes in as text, never as markup: transcripts are anybody's words.

/** An element with attributes, listeners (`onclick`) and children; a child may be a text, null is left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// What is invisible or turns the text around it; joiners stay, since Persian and Indic words are written with them.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text whose invisible characters, and halves of characters, are seen, as ⟨U+202E⟩. */
function shown(text) {
  const code = (sign) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const named = (sign) => `⟨U+${code(sign)}⟩`;
  return text.replace(INVISIBLE, named).replace(/\p{Surrogate}/gu, named);
}

const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

/** The attributes that let a browser show a text of this language right. */
function inLanguage(language) {
  if (!language) return { dir: "auto" };
  return { lang: language, dir: RIGHT_TO_LEFT.has(language.split("-")[0]) ? "rtl" : "auto" };
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A difference with its sign, as people write it. */
function signed(value) {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0";
}
