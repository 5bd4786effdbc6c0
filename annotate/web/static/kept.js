// What the browser keeps until the server says that it is stored: acts (labels, undos) and notes.
"use strict";

// Each act has a name of its own: the answer to one, in whatever tab, removes no other.
const ACT = ({ undo, nonce } = {}) => `grader.kept.${document.body.dataset.store}.${undo ? "undo-" : ""}${nonce || ""}`;
const DRAFT = ({ key }) => `grader.note.${document.body.dataset.store}.${key}`;
const FULL = "this browser's storage is full; leave this page open until all is saved, "
  + "then clear this site's data in the browser's settings";

const unkept = new Map();  // what the browser has no room to keep: lost when the page is left
let own = null;  // the act of this page that is not answered yet, even if another tab has sent it

function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    unkept.delete(name);
  } catch {
    localStorage.removeItem(name);  // an older text would pass for this one
    unkept.set(name, text);
  }
}

function forget(name) {
  unkept.delete(name);
  localStorage.removeItem(name);
}

function keepAct(act) {
  own = act;
  keep(ACT(act), JSON.stringify(act));
}

function forgetAct(act) {
  if (own && ACT(own) === ACT(act)) own = null;
  forget(ACT(act));
}

// The act to be sent next.
function nextAct() {
  const name = Object.keys(localStorage).find((each) => each.startsWith(ACT()));
  return own || (name && JSON.parse(localStorage.getItem(name)));
}

const where = (act) => unkept.has(ACT(act))
  ? `not kept, for ${FULL}`
  : `kept in this browser for port ${location.port}`;

const draft = (act) => unkept.get(DRAFT(act)) ?? localStorage.getItem(DRAFT(act));

// Whether the item of a label has a note that was written after it, so that it is not stored with it.
const isNoteNewer = (label) => ![null, label.note].includes(draft(label));
