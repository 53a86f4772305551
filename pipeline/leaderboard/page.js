// Sorting, and looking through the queries. What is to be seen is in the address after the #.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("answers").textContent);
  const PAGE = 50; // rows at a time: the page draws no more, however many queries there are
  const DEFAULTS = { set: data.families[0].name, lang: "en", find: "", show: "all", page: "1", query: "" };
  const OUTCOMES = {
    all: () => true,
    none: (marks) => marks.every((mark) => mark !== true),
    some: (marks) => marks.includes(true) && marks.includes(false),
    every: (marks) => marks.length > 0 && marks.every((mark) => mark === true),
  };
  let state = { ...DEFAULTS };
  let chosen = []; // of the families and rows that pass, in order

  function make(tag, text, kind) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  // Tables

  function keyOf(row, column) {
    const key = row.cells[column].dataset.key;
    return key === "" || Number.isNaN(Number(key)) ? key : Number(key);
  }

  function compare(one, other) {
    if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
    if (typeof one === "number") return one - other;
    return one < other ? -1 : one > other ? 1 : 0;
  }

  function sortBy(table, column) {
    const heads = [...table.tHead.rows[0].cells];
    const before = heads[column].getAttribute("aria-sort");
    const first = column === 0 ? "ascending" : "descending";
    const second = column === 0 ? "descending" : "ascending";
    const order = before === first ? second : first;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", order);
    const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row, column), row]);
    const sign = order === "ascending" ? 1 : -1;
    // What has no value stands last, whichever way the others go.
    rows.sort(([one], [other]) =>
      typeof one === typeof other ? sign * compare(one, other) : compare(one, other));
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = make("button", head.textContent);
      button.type = "button";
      button.addEventListener("click", () => sortBy(table, column));
      head.replaceChildren(button);
    });
  }

  // Queries

  const families = new Map(data.families.map((family) => [family.name, family]));
  const lowered = new Map(); // family → each query's id and texts, in small letters

  function haystack(family) {
    if (!lowered.has(family)) {
      const texts = Object.values(family.texts);
      lowered.set(family, family.ids.map((id, row) =>
        [id, ...texts.map((own) => own[row] ?? "")].join("\n").toLowerCase()));
    }
    return lowered.get(family);
  }

  // true, false, or null where a system does not answer the query
  function marksOf(family, language, row) {
    const gold = family.gold[row];
    return family.firsts[language].map((run) => (run[row] < 0 ? null : gold.includes(run[row])));
  }

  function passes(family, row, find, outcome) {
    const texts = family.texts[state.lang];
    if (!texts || texts[row] === null) return false;
    if (find && !haystack(family)[row].includes(find)) return false;
    return outcome(marksOf(family, state.lang, row));
  }

  function choose() {
    const find = state.find.trim().toLowerCase();
    const outcome = OUTCOMES[state.show];
    const among = state.set === "all" ? data.families : [families.get(state.set)];
    let scanned = 0;
    chosen = [];
    for (const family of among) {
      for (let row = 0; row < family.ids.length; row += 1) {
        scanned += 1;
        if (passes(family, row, find, outcome)) chosen.push([family, row]);
      }
    }
    byId("browser").dataset.scanned = String(scanned);
  }

  function strip(marks) {
    const right = marks.filter((mark) => mark === true).length;
    const cell = make("td", `${right} of ${marks.length}`);
    const drawn = make("span", undefined, "marks");
    drawn.setAttribute("aria-hidden", "true");
    marks.forEach((mark, run) => {
      const one = make("i", undefined, mark === null ? "none" : mark ? "yes" : "");
      one.title = data.runs[run];
      drawn.append(one);
    });
    cell.append(drawn);
    return cell;
  }

  function queryRow([family, row]) {
    const line = make("tr");
    const head = make("th");
    const link = make("a", family.ids[row]);
    link.href = addressOf({ ...state, query: family.ids[row] });
    head.scope = "row";
    head.append(link);
    const text = make("td", family.texts[state.lang][row], "text");
    text.lang = state.lang;
    line.append(head, text, strip(marksOf(family, state.lang, row)));
    return line;
  }

  function drawList() {
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    const page = Math.min(pages, Math.max(1, Number(state.page) || 1));
    state.page = String(page);
    const rows = chosen.slice((page - 1) * PAGE, page * PAGE).map(queryRow);
    byId("queries").tBodies[0].replaceChildren(...rows);
    byId("browser").dataset.drawn = String(rows.length);
    byId("count").textContent = chosen.length === 1 ? "1 query" : `${chosen.length} queries`;
    byId("page").textContent = `page ${page} of ${pages}`;
    byId("before").disabled = page === 1;
    byId("after").disabled = page === pages;
  }

  function documentLine(family, code) {
    const all = data.documents[family.task];
    const line = make("dd");
    const title = all.titles[code];
    line.append(make("b", title || all.ids[code]), ` ${all.texts[code]}`);
    if (title) line.append(" ", make("code", all.ids[code]));
    line.lang = "en";
    return line;
  }

  function word(mark) {
    if (mark === null) return make("span", "no answer");
    return mark ? make("span", "right", "yes-word") : make("span", "wrong", "no-word");
  }

  function systemRow(family, row, run) {
    const line = make("tr");
    const name = make("th", data.runs[run]);
    name.scope = "row";
    const first = family.firsts[state.lang][run][row];
    const verdict = make("td");
    verdict.append(word(marksOf(family, state.lang, row)[run]));
    const shown = make("td", undefined, "text");
    if (first >= 0) shown.append(...documentLine(family, first).childNodes);
    const value = family.values[state.lang][run][row];
    line.append(name, verdict, make("td", value < 0 ? "–" : (value / data.steps).toFixed(3)), shown);
    const others = make("td");
    for (const language of Object.keys(family.texts)) {
      if (family.texts[language][row] === null) continue;
      const mark = marksOf(family, language, row)[run];
      const sign = mark === null ? "–" : mark ? "✓" : "✗";
      others.append(make("span", `${language} ${sign} `, mark ? "yes-word" : "no-word"));
    }
    line.append(others);
    return line;
  }

  function systemsTable(family, row) {
    const table = make("table");
    const head = make("tr");
    for (const title of ["system", "first", family.measure, `first document, ${state.lang}`, "by language"]) {
      const cell = make("th", title, title.startsWith("first d") ? "text" : "");
      cell.scope = "col";
      head.append(cell);
    }
    const top = make("thead");
    top.append(head);
    const body = make("tbody");
    data.runs.forEach((_, run) => body.append(systemRow(family, row, run)));
    table.append(top, body);
    const box = make("div", undefined, "wide");
    box.append(table);
    return box;
  }

  function find(query) {
    for (const family of data.families) {
      const row = family.ids.indexOf(query);
      if (row >= 0) return [family, row];
    }
    return null;
  }

  function drawDetail() {
    const detail = byId("detail");
    const found = state.query && find(state.query);
    detail.hidden = !found;
    if (!found) return;
    const [family, row] = found;
    if (!family.texts[state.lang]) state.lang = Object.keys(family.texts)[0];
    const list = make("dl");
    for (const [language, texts] of Object.entries(family.texts)) {
      const text = make("dd", texts[row] ?? "not released in this language");
      text.lang = texts[row] === null ? "en" : language;
      list.append(make("dt", language), text);
    }
    list.append(make("dt", "right answers"));
    family.gold[row].forEach((code) => list.append(documentLine(family, code)));
    const title = make("h3", state.query);
    title.tabIndex = -1;
    detail.replaceChildren(title, list, systemsTable(family, row));
  }

  // The address

  function addressOf(wanted) {
    const told = Object.entries(wanted).filter(([key, value]) => value !== DEFAULTS[key]);
    return `#${new URLSearchParams(told.length ? told : [["set", wanted.set]])}`;
  }

  function fromAddress() {
    const told = location.hash.slice(1);
    if (!told.includes("=")) return;
    const read = { ...DEFAULTS, ...Object.fromEntries(new URLSearchParams(told)) };
    if (read.set !== "all" && !families.has(read.set)) read.set = DEFAULTS.set;
    if (!(read.show in OUTCOMES)) read.show = DEFAULTS.show;
    if (!data.families.some((family) => family.texts[read.lang])) read.lang = DEFAULTS.lang;
    const isNew = read.query !== state.query;
    state = read;
    draw();
    if (isNew && state.query && !byId("detail").hidden) {
      byId("detail").scrollIntoView({ block: "nearest" });
      byId("detail").querySelector("h3").focus({ preventScroll: true });
    }
  }

  function change(changed) {
    state = { ...state, page: "1", ...changed };
    history.replaceState(null, "", addressOf(state));
    draw();
  }

  function draw() {
    for (const key of ["set", "lang", "find", "show"]) {
      if (byId(key).value !== state[key]) byId(key).value = state[key];
    }
    choose();
    drawList();
    drawDetail();
  }

  function options(select, values) {
    select.append(...values.map(([value, text]) => {
      const option = make("option", text);
      option.value = value;
      return option;
    }));
  }

  const languages = [...new Set(data.families.flatMap((family) => Object.keys(family.texts)))];
  if (!languages.includes(DEFAULTS.lang)) DEFAULTS.lang = state.lang = languages[0];
  options(byId("set"), [...[...families.keys()].map((name) => [name, name]), ["all", "all of them"]]);
  options(byId("lang"), languages.map((language) => [language, language]));
  for (const key of ["set", "lang", "find", "show"]) {
    byId(key).addEventListener("input", (event) => change({ [key]: event.target.value }));
  }
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("before").addEventListener("click", () => change({ page: String(Number(state.page) - 1) }));
  byId("after").addEventListener("click", () => change({ page: String(Number(state.page) + 1) }));
  addEventListener("hashchange", fromAddress);
  draw();
  fromAddress();
})();
