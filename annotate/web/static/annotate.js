// Keyboard, timing, and never losing a label. Without this script the page's forms still work.
"use strict";

const KEPT = () => `grader.kept.${document.body.dataset.store}`;
const DRAFT = ({ key }) => `grader.note.${document.body.dataset.store}.${key}`;
const RETRY_AFTER = 1500;

let shownAt = 0;
let activeTime = 0;
let busy = false;  // an act is under way
let turn = 0;  // how many pages were asked for: only the last one asked for is shown
let arrived = 0;  // the turn of the page that is shown
let typing = false;
let wanted = null;  // the page to show now that an act is stored
// Names this tab: a label that another one has kept is sent from here too, but moves no page here.
const TAB = sessionStorage.getItem("grader.tab") || String(Math.random());
sessionStorage.setItem("grader.tab", TAB);

const form = () => document.getElementById("label");
const fields = (of = form()) => Object.fromEntries(new FormData(of));
const kept = () => JSON.parse(localStorage.getItem(KEPT()) || "[]");
const keep = (acts) => acts.length
  ? localStorage.setItem(KEPT(), JSON.stringify(acts))
  : localStorage.removeItem(KEPT());

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
async function show(address, remember = true) {
  const mine = ++turn;
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    const text = await response.text();
    if (mine === turn) put(response, text, remember);
  } catch (error) {
    if (mine === turn) throw error;
  } finally {
    if (mine === turn) arrived = turn;
  }
}

const move = (address) => show(address).catch(() => say("The server does not answer.", "bad"));

function put(response, text, remember) {
  if (response.status === 403) return ended();
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.body.dataset.store) {
    return say((page.querySelector(".end p") || page.body).textContent, "bad");
  }
  document.title = page.title;
  for (const [name, value] of Object.entries(page.body.dataset)) document.body.dataset[name] = value;
  document.body.replaceChildren(...page.body.childNodes);
  if (remember) history.pushState(null, "", response.url);
  arrive();
}

function arrive() {
  clockStart();
  const draft = form() && localStorage.getItem(DRAFT(fields()));
  if (draft !== null) form().elements.note.value = draft;
  window.scrollTo(0, 0);
  const mark = document.getElementById("best");
  if (mark && mark.getBoundingClientRect().bottom > innerHeight) mark.scrollIntoView({ block: "center" });
}

function ended() {
  say("The server was started anew. Open the address it printed"
    + (kept().length ? "; what is not yet saved is kept in this browser and sent then." : "."), "bad");
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

async function flush() {
  if (busy) return;
  busy = true;
  let failed = "";
  let done = "";
  try {
    for (let acts = kept(); acts.length; acts = kept()) {
      failed = acts[0].undo ? "Not taken back" : "Not saved";
      const result = await send(acts[0]);
      if (result.ended) { ended(); return; }
      if (result.error && result.status >= 500) {
        say(`${failed} yet, kept in this browser: ${result.error}`, "bad");
        setTimeout(flush, RETRY_AFTER);
        return;
      }
      keep(acts.slice(1));
      if (result.error) {  // refused for good: the note stays as a draft
        if (!acts[0].undo) await show(location.href, false);
        say(`${failed}: ${result.error}`, "bad");
        return;
      }
      localStorage.removeItem(DRAFT(acts[0]));
      const isOwn = acts[0].tab === TAB;
      wanted = isOwn ? result.next : wanted || location.href;
      done = !isOwn ? "Saved what another tab had kept." : acts[0].undo ? "Taken back." : "";
    }
    if (wanted) {
      say("", "");
      await show(wanted, wanted !== location.href);
      wanted = null;
      if (done) say(done, "good");
    }
  } catch (error) {
    say(kept().length
      ? `${failed} yet: the server does not answer. It is kept in this browser for port ${location.port}; trying again.`
      : "The server does not answer; trying again.", "bad");
    setTimeout(flush, RETRY_AFTER);
  } finally {
    busy = false;
  }
}

function ready(failed) {
  if (busy) return false;
  if (kept().length || wanted) {
    say(`${failed}: an earlier label is sent first; then press again.`, "bad");
    flush();
    return false;
  }
  if (arrived !== turn) say(`${failed}: another page is on its way.`, "bad");
  return arrived === turn;
}

function label(verdict) {
  if (!ready("Not labelled")) return;
  const note = document.getElementById("note");
  const [length, longest] = [[...note.value].length, Number(note.dataset.longest)];
  if (length > longest) {
    return say(`Not saved: a note has at most ${longest.toLocaleString("en")} characters, this one has ${length.toLocaleString("en")}; shorten it`, "bad");
  }
  const { csrf, ...act } = fields();
  keep([{ ...act, tab: TAB, verdict, seconds: (clockRead() / 1000).toFixed(2) }]);
  for (const button of form().querySelectorAll("button")) {
    button.classList.toggle("chosen", button.value === verdict);
  }
  flush();
}

function undo() {
  if (!ready("Not taken back")) return;
  const { csrf, ...act } = fields(document.getElementById("undo"));
  keep([{ ...act, tab: TAB, undo: true }]);
  flush();
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
    if (event.key !== "Enter") return;
    if (field.id === "note") { event.preventDefault(); field.blur(); }
    if (field.id === "filter") { event.preventDefault(); field.form.requestSubmit(); }
    return;
  }
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!target && !ACTIONS[event.key]) return;
  event.preventDefault();
  if (!target) ACTIONS[event.key]();
  else if (target.name === "verdict") label(target.value);
  else move(target.href);
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
  else { event.preventDefault(); go(Object.fromEntries(new FormData(event.target))); }
});
document.addEventListener("input", (event) => {
  if (event.target.id === "note") localStorage.setItem(DRAFT(fields()), event.target.value);
});
// A filter chosen by keys waits for Enter: the letters after the first must not label the next item.
document.addEventListener("pointerdown", () => { typing = false; });
document.addEventListener("change", (event) => {
  if (event.target.id === "filter" && !typing) event.target.form.requestSubmit();
});
window.addEventListener("popstate", () => show(location.href, false).catch(() => location.reload()));

arrive();
if (kept().length) flush();
