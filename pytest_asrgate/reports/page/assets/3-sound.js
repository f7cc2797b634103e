// Sounds: embedded in the page as base64 text, or linked. Nothing is decoded before somebody wants to hear it.

/** The address of a sound for a player; null where there is none. */
function soundAddress(index) {
  const sound = index === undefined || index === null ? null : DATA.sounds[index];
  if (!sound) return null;
  if (sound.url !== undefined) return sound.url;
  const chunk = document.getElementById(sound.chunk);
  return chunk ? `data:${sound.type};base64,${chunk.textContent.trim()}` : null;
}

function soundIsLinked(index) {
  return DATA.sounds[index]?.url !== undefined;
}

// The one that plays in rows; each opened row has a player of its own.
const sounding = { audio: new Audio(), index: null, button: null };

/** Let a button say whether its sound plays now. */
function showState(button) {
  const plays = Number(button.dataset.sound) === sounding.index && !sounding.audio.paused;
  button.textContent = plays ? "■" : "▶";
  button.classList.toggle("playing", plays);
  button.setAttribute("aria-label", `${plays ? "Stop" : "Play"} ${button.dataset.name}`);
}

function showPlaying() {
  document.querySelectorAll("button.play").forEach(showState);
}

function stopSounds() {
  sounding.audio.pause();
  for (const player of document.querySelectorAll("audio")) player.pause();
}

/** Play a sound, or stop it where it plays. */
function toggleSound(index) {
  if (sounding.index === index && !sounding.audio.paused) {
    sounding.audio.pause();
    return;
  }
  stopSounds();
  sounding.index = index;
  sounding.audio.src = soundAddress(index);
  sounding.audio.play().catch(() => {
    const why = soundIsLinked(index) ? "is it still there, and a sound that this browser knows?" : "this browser cannot decode it";
    say(`The sound cannot be played: ${why}`);
  });
}

for (const event of ["play", "pause", "ended", "error"]) sounding.audio.addEventListener(event, showPlaying);

/** The play button of a row; nothing where there is no sound. */
function playButton(index, name) {
  if (index === undefined || index === null) return make("span", { class: "no-sound", title: "no sound" }, "–");
  const click = (event) => {
    event.stopPropagation();
    toggleSound(index);
  };
  const attributes = { class: "play", type: "button", "data-sound": index, "data-name": shown(name), onclick: click };
  const button = make("button", attributes);
  // A row is made anew whenever it comes into view, maybe while its sound plays.
  showState(button);
  return button;
}
