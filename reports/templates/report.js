// The transcript table: filter, sort and page through rows held in this page's own data.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const fields = data.fields;
  const column = Object.fromEntries(fields.map((name, index) => [name, index]));
  const size = 50;
  const state = { page: 0, sort: -1, down: false, rows: data.rows, all: false };
  const byId = (id) => document.getElementById(id);
  const body = byId("rows").tBodies[0];
  const selects = Array.from(document.querySelectorAll("select[data-field]"));
  const search = byId("search");
  const words = data.rows.map((row) =>
    [row[column.transcript_id], row[column.task_id], row[column.question]].join(" ").toLowerCase());

  function keeps(row, index) {
    const wanted = search.value.trim().toLowerCase();
    if (wanted && !words[index].includes(wanted)) return false;
    return selects.every((select) => {
      if (select.selectedIndex === 0) return true; // "all"; an unrecorded mode has the value "" too
      const value = row[column[select.dataset.field]];
      if (select.dataset.field === "disagreements") {
        return select.value === "(any)" ? value !== "" : value.split(", ").includes(select.value);
      }
      return (value === null ? "(none)" : String(value)) === select.value;
    });
  }

  // A published answer is a text: "-2.05%", "1,200", "2.67e-08"; null for one that is no number.
  function amount(value) {
    const text = String(value).replace(/[,%$€£\s]/g, "").replace("−", "-");
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
  }

  function order(a, b) {
    const x = a[state.sort], y = b[state.sort];
    if (x === null || y === null) return (x === null) - (y === null);
    const [one, other] = [amount(x), amount(y)];
    const less = one === null || other === null
      ? String(x).localeCompare(String(y), "en", { numeric: true }) : one - other;
    return state.down ? -less : less;
  }

  function update() {
    state.rows = data.rows.filter(keeps);
    if (state.sort >= 0) state.rows = state.rows.slice().sort(order);
    state.page = 0;
    draw();
  }

  function cell(row, name) {
    const td = document.createElement("td");
    const value = row[column[name]];
    if (name === "transcript_id") {
      const link = document.createElement("a");
      link.href = "transcripts/" + row[column.file];
      link.textContent = value;
      td.append(link);
    } else {
      const text = document.createElement("span");
      const titles = Object.hasOwn(data.titles, name) ? data.titles[name] : {};
      const isTitled = Object.hasOwn(titles, String(value));
      text.textContent = value === null ? "–" : isTitled ? titles[value] : String(value);
      td.append(text);
      if (isTitled && data.verdicts.includes(value)) td.className = value;
      if (name === "question") { td.className = "question"; td.title = value; }
    }
    if (typeof value === "number") td.className = "number";
    if (name === "transcript_id" || name === "task_id") td.className = "id";
    return td;
  }

  function draw() {
    const pages = Math.max(1, Math.ceil(state.rows.length / size));
    const start = state.all ? 0 : state.page * size;
    const shown = state.rows.slice(start, state.all ? 2000 : start + size);
    body.replaceChildren(...shown.map((row) => {
      const tr = document.createElement("tr");
      tr.append(...data.shown.map((name) => cell(row, name)));
      return tr;
    }));
    byId("count").textContent = state.rows.length
      ? `${start + 1}–${start + shown.length} of ${state.rows.length} (${data.rows.length} in all)`
      : `No transcript matches (${data.rows.length} in all)`;
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page >= pages - 1;
  }

  function turn(by) { state.page += by; draw(); }

  selects.forEach((select) => select.addEventListener("change", update));
  search.addEventListener("input", update);
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("clear").addEventListener("click", () => {
    selects.forEach((select) => { select.selectedIndex = 0; });
    search.value = "";
    update();
  });
  document.querySelectorAll("#rows th button").forEach((button) => {
    button.addEventListener("click", () => {
      const index = column[button.dataset.field];
      state.down = state.sort === index && !state.down;
      state.sort = index;
      document.querySelectorAll("#rows th").forEach((th) => th.removeAttribute("aria-sort"));
      button.parentElement.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      update();
    });
  });
  window.addEventListener("beforeprint", () => { state.all = true; draw(); });
  window.addEventListener("afterprint", () => { state.all = false; draw(); });
  update();
})();
