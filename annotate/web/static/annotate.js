// Keyboard, timing, and never losing a label. Without this script the page's forms still work.
"use strict";

const RETRY_AFTER = 1500;
const PAUSE = 500;  // ms before a verdict is taken on a page that waited for a field to be left

let shownAt = 0;
let activeTime = 0;
let busy = false;  // an act is under way
let turn = 0;  // how many pages were asked for: only the last one asked for is shown
let arrived = 0;  // the turn of the page that is shown
let typing = false;
let firmAt = 0;  // when the page that is shown takes verdicts
let asking = null;  // the field whose form asked for a page, until another key is pressed in it
let wanted = null;  // the page to show now that an act is stored
let stored = [];  // the labels stored since a page was shown
// Names this tab: a label that another one has kept is sent from here too, but moves no page here.
const TAB = sessionStorage.getItem("grader.tab") || String(Math.random());
sessionStorage.setItem("grader.tab", TAB);

const form = () => document.getElementById("label");
const fields = (of = form()) => Object.fromEntries(new FormData(of));

function say(text, kind) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = kind || "";
  status.hidden = !text;
}

// -- time on this item, not counting when the page is out of sight ---------------------------
function clockStart() { activeTime = 0; shownAt = performance.now(); }
function clockRead() { return activeTime + (document.hidden ? 0 : performance.now() - shownAt); }
document.addEventListener("visibilitychange", () => {
  if (document.hidden) activeTime += performance.now() - shownAt;
  else shownAt = performance.now();
});

// -- pages: swap the body's content instead of loading it anew --------------------------------
// Show the page at an address; false if the server has none for now. `stays` is asked when it has come
// and no field is written in: if it is true, the page in sight is shown anew instead.
async function show(address, remember = true, stays = () => false) {
  const mine = ++turn;
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    const text = await response.text();
    const page = mine === turn && read(response, text);
    if (page) await fieldLeft(mine);
    if (mine !== turn) return true;
    if (!page) return response.status < 500;
    if (stays()) return show(location.href, false);  // not awaited: its errors are for the caller
    put(page, remember && response.url);
    return true;
  } catch (error) {
    if (mine === turn) throw error;
  } finally {
    if (mine === turn) arrived = turn;
  }
}

const move = (address) => show(address).catch(() => say("The server does not answer.", "bad"));

// The page of a response; without one, it says why.
function read(response, text) {
  if (response.status === 403) return ended();
  const page = new DOMParser().parseFromString(text, "text/html");
  if (page.body.dataset.store) return page;
  return say((page.querySelector(".end p") || page.body).textContent, "bad");
}

// Wait while a field is written in: the rest of a note must not label the next item.
async function fieldLeft(mine) {
  const isWriting = () => document.activeElement?.matches("input, select, textarea") && document.activeElement !== asking;
  if (!isWriting()) return;
  say("The next page is ready. It is shown once this field is left (Esc).", "good");
  while (mine === turn && isWriting()) await new Promise((resolve) => setTimeout(resolve, 50));
  firmAt = performance.now() + PAUSE;
}

function put(page, address) {
  document.title = page.title;
  for (const [name, value] of Object.entries(page.body.dataset)) document.body.dataset[name] = value;
  document.body.replaceChildren(...page.body.childNodes);
  if (address) history.pushState(null, "", address);
  arrive();
}

function arrive() {
  clockStart();
  const note = form() && draft(fields());
  if (note !== null) form().elements.note.value = note;
  window.scrollTo(0, 0);
  const mark = document.getElementById("best");
  if (!mark || mark.getBoundingClientRect().bottom <= innerHeight) return;
  mark.style.scrollMarginTop = `${document.querySelector(".desk").offsetHeight}px`;  // which would cover it
  mark.scrollIntoView({ block: "center" });
}

function ended() {
  say("The server was started anew. Open the address it printed"
    + (unkept.size ? "; what is not yet saved is lost then, for this browser's storage is full: do it again."
      : nextAct() ? "; what is not yet saved is kept in this browser and sent then." : "."), "bad");
}

// -- labels and undo: kept in the browser until the server says they are stored ----------------
async function send({ undo, tab, ...act }) {
  const response = await fetch(undo ? "/undo" : "/label", {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ ...act, csrf: document.body.dataset.csrf }),
  });
  if (response.ok) return response.json();
  if (response.status === 403) return { ended: true };
  const type = response.headers.get("content-type") || "";
  const message = type.startsWith("application/json") ? (await response.json()).error : await response.text();
  return { status: response.status, error: message };
}

function begin(fields) {
  keepAct({ ...fields, tab: TAB });
  flush();
}

async function flush() {
  if (busy) return;
  busy = true;
  let failed = "";
  let done = "";
  let warning = "";
  try {
    for (let act = nextAct(); act; act = nextAct()) {
      failed = act.undo ? "Not taken back" : "Not saved";
      const result = await send(act);
      if (result.ended) { ended(); return; }
      if (result.error && result.status >= 500) {
        say(`${failed} yet, ${where(act)}: ${result.error}`, "bad");
        setTimeout(flush, RETRY_AFTER);
        return;
      }
      if (unkept.size) warning = `Saved, but ${FULL}.`;
      forgetAct(act);
      if (result.error) {  // refused for good: the note stays as a draft
        if (!act.undo) await show(location.href, false);
        say(`${failed}: ${result.error}`, "bad");
        return;
      }
      if (!act.undo && !isNoteNewer(act)) forget(DRAFT(act));
      // A note beside the snippets goes with the label of the transcript that is asked for.
      if (!act.undo && act.verdict !== "needs_transcript") stored.push(act);
      const isOwn = act.tab === TAB;
      wanted = isOwn ? result.next : wanted || location.href;
      done = !isOwn ? "Saved what another tab had kept." : act.undo ? "Taken back." : "";
    }
    if (wanted) {
      say("", "");
      const isLate = () => stored.some(isNoteNewer);
      if (!await show(wanted, wanted !== location.href, isLate)) { setTimeout(flush, RETRY_AFTER); return; }
      if (isLate()) warning = "Saved, but not the note written since: press the verdict of its item again to save that too.";
      [wanted, stored] = [null, []];
      if (warning || done) say(warning || done, warning ? "bad" : "good");
    }
  } catch (error) {
    const act = nextAct();
    say(act
      ? `${failed} yet: the server does not answer. It is ${where(act)}; trying again.`
      : "The server does not answer; trying again.", "bad");
    setTimeout(flush, RETRY_AFTER);
  } finally {
    busy = false;
  }
}

function ready(failed) {
  if (busy) return false;
  if (nextAct() || wanted) {
    say(`${failed}: an earlier label is sent first; then press again.`, "bad");
    flush();
    return false;
  }
  if (arrived !== turn) say(`${failed}: another page is on its way.`, "bad");
  return arrived === turn;
}

function label(verdict) {
  if (!ready("Not labelled")) return;
  if (performance.now() < firmAt) return say("Not labelled: this page has only just come; press again.", "bad");
  const note = document.getElementById("note");
  const [length, longest] = [[...note.value].length, Number(note.dataset.longest)];
  if (length > longest) {
    return say(`Not saved: a note has at most ${longest.toLocaleString("en")} characters, this one has ${length.toLocaleString("en")}; shorten it`, "bad");
  }
  const { csrf, ...given } = fields();
  for (const button of form().querySelectorAll("button")) {
    button.classList.toggle("chosen", button.value === verdict);
  }
  begin({ ...given, verdict, seconds: (clockRead() / 1000).toFixed(2) });
}

function undo() {
  if (!ready("Not taken back")) return;
  const { csrf, ...given } = fields(document.getElementById("undo"));
  begin({ ...given, undo: true });
}

const go = (fields) => move("/go?" + new URLSearchParams({ choose: document.body.dataset.choose, after: document.body.dataset.number, ...fields }));

// -- keys ---------------------------------------------------------------------------------------
const ACTIONS = {
  j: () => go({ next: "1" }),
  ArrowRight: () => go({ next: "1" }),
  k: () => go({ back: "1" }),
  ArrowLeft: () => go({ back: "1" }),
  u: undo,
  o: () => document.getElementById("note")?.focus(),
  g: () => document.getElementById("jump").select(),
  "/": () => document.getElementById("find").select(),
  f: () => document.getElementById("filter").focus(),
};

// The key as the page writes it: letters in lower case (Caps Lock may be on); of a keyboard of another
// script, or of an input method, the Latin letter of that place.
function keyOf({ key, code }) {
  const isOther = key === "Process" || (key.length === 1 && key > "~");
  if (isOther && /^Key[A-Z]$/.test(code)) return code.at(-1).toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const field = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape") {
    if (field?.id === "filter") field.form.reset();
    field?.blur();
    return;
  }
  if (field) {
    typing = true;
    asking = null;
    if (event.key !== "Enter") return;
    if (field.id === "note") { event.preventDefault(); field.blur(); }
    if (field.id === "filter") { event.preventDefault(); field.form.requestSubmit(); }
    return;
  }
  const key = keyOf(event);
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!target && !ACTIONS[key]) return;
  event.preventDefault();
  if (!target) ACTIONS[key]();
  else if (target.name === "verdict") label(target.value);
  else move(target.href);
});

// The second click of a double click must not label the item that the first one has brought.
document.addEventListener("click", (event) => {
  if (event.detail < 2 || !event.target.closest?.("button")) return;
  event.preventDefault();
  say("The second click of a double click does nothing.", "bad");
});

// A link must not open its page over the one that a label has brought since.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a:not([data-plain])");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  move(link.href);
});

document.addEventListener("submit", (event) => {
  if (event.target.id === "label") { event.preventDefault(); label(event.submitter?.value || ""); }
  else if (event.target.id === "undo") { event.preventDefault(); undo(); }
  else { event.preventDefault(); asking = document.activeElement; go(Object.fromEntries(new FormData(event.target))); }
});
document.addEventListener("input", (event) => {
  if (event.target.id !== "note") return;
  keep(DRAFT(fields()), fields().note);
  if (unkept.size) say(`The note is not kept, for ${FULL}.`, "bad");
});
// A filter chosen by keys waits for Enter: the letters after the first must not label the next item.
document.addEventListener("pointerdown", () => { typing = false; });
document.addEventListener("change", (event) => {
  if (event.target.id === "filter" && !typing) event.target.form.requestSubmit();
});
window.addEventListener("popstate", () => show(location.href, false).catch(() => location.reload()));

arrive();
if (nextAct()) flush();
