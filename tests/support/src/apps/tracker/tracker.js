"use strict";
const FILTERS = { open: "Open", closed: "Closed", mine: "Mine" };
const PEOPLE = ["Ada Lindqvist", "Jun Watanabe", "Tomás Ruiz", "Mira Okafor"];
const state = {
  view: "issues", filter: "open", query: "", issues: [], issue: null, tab: "profile",
  settings: null, dialog: null, problem: "", isMenuOpen: false,
};

// Builds an element: a tag, its properties (`on…` are listeners), its children.
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(child => child != null && child !== false));
  return element;
}

async function call(method, path, body) {
  const options = { method, cache: "no-store" };
  if (body) {
    options.body = JSON.stringify(body);
    options.headers = { "Content-Type": "application/json" };
  }
  const answer = await fetch(path, options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.status === 204 ? null : answer.json();
}

// The server is told what is on show, one after the other.
let telling = Promise.resolve();
function tell(name) {
  telling = telling.then(() => fetch("/at/" + name, { cache: "no-store" })).catch(() => {});
}

function shown() {
  if (state.dialog) return "dialog-" + state.dialog;
  if (state.isMenuOpen) return "user-menu";
  if (state.view === "issues") return state.issues.length ? "issues" : "issues-empty";
  if (state.view === "settings") return "settings-" + state.tab;
  return "issue";
}

function render() {
  const focused = document.activeElement?.getAttribute("aria-label");
  drawHeader();
  const views = { issues: listView, issue: issueView, settings: settingsView };
  document.querySelector("main").replaceChildren(...views[state.view]());
  drawDialog();
  if (focused) document.querySelector(`main [aria-label="${focused}"]`)?.focus();
  tell(shown());
}

function set(change) {
  Object.assign(state, change);
  render();
}

function toast(text) {
  const box = h("div", null, text);
  document.querySelector(".toasts").replaceChildren(box);
  setTimeout(() => box.remove(), 4000);
}

async function openList(change) {
  Object.assign(state, change);
  const query = new URLSearchParams({ filter: state.filter, q: state.query });
  const issues = await call("GET", "/api/issues?" + query);
  set({ view: "issues", issues, dialog: null, isMenuOpen: false });
}

async function openIssue(id) {
  set({ issue: await call("GET", "/api/issues/" + id), view: "issue", dialog: null });
}

async function openSettings(tab) {
  const settings = await call("GET", "/api/settings");
  set({ settings, tab, view: "settings", isMenuOpen: false });
}

async function changeIssue(part, body, said) {
  const issue = await call("POST", `/api/issues/${state.issue.id}/${part}`, body);
  set({ issue, dialog: null });
  toast(said);
}

function drawHeader() {
  const link = (name, view, go) =>
    h("button", { onclick: go, "aria-current": state.view === view && "page" }, name);
  document.querySelector("nav").replaceChildren(
    link("Issues", "issues", () => openList({ query: "" })),
    link("Settings", "settings", () => openSettings("profile")),
  );
  const item = (name, act) => h("div", { role: "menuitem", tabindex: 0, onclick: act }, name);
  const toggle = () => set({ isMenuOpen: !state.isMenuOpen });
  document.querySelector(".user").replaceChildren(
    h("button", { "aria-haspopup": "menu", "aria-expanded": String(state.isMenuOpen),
      onclick: toggle }, "Mira Okafor"),
    state.isMenuOpen ? h("div", { class: "menu", role: "menu" },
      item("Your profile", () => openSettings("profile")),
      item("Notification settings", () => openSettings("notifications")),
      item("Issues assigned to you", () => openList({ filter: "mine", query: "" })),
      item("Switch theme", () => {
        document.body.classList.toggle("dark");
        set({ isMenuOpen: false });
      })) : "",
  );
}

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

function listView() {
  const tab = ([filter, name]) => h("button", {
    role: "tab", "aria-selected": String(filter === state.filter),
    onclick: () => openList({ filter }),
  }, name);
  const search = h("input", { type: "search", "aria-label": "Search issues",
    placeholder: "Search issues", value: state.query,
    onkeydown: event => event.key === "Enter" && openList({ query: event.target.value }) });
  const row = issue => h("li", null,
    h("span", { class: "title", onclick: () => openIssue(issue.id) }, issue.title),
    issue.labels.map(label => h("span", { class: "label" }, label)),
    issue.priority === "High" && h("span", { class: "label high" }, "High priority"),
    h("span", { class: "meta" }, `#${issue.id} by ${issue.author}` +
      (issue.comments.length ? ", " + counted(issue.comments.length, "comment") : "")));
  const n = state.issues.length;
  return [
    h("div", { class: "bar" }, h("h1", null, "Issues"), search,
      h("button", { class: "primary", onclick: () => set({ dialog: "new", problem: "" }) },
        "New issue")),
    h("div", { role: "tablist" }, Object.entries(FILTERS).map(tab)),
    n ? h("ul", { class: "issues" }, state.issues.map(row)) : emptyState(),
    n ? h("p", { class: "meta" }, counted(n, "issue")) : "",
  ];
}

function emptyState() {
  if (!state.query) return h("div", { class: "empty" }, h("h2", null, "All clear"),
    h("p", null, "There is nothing to do here."));
  return h("div", { class: "empty" }, h("h2", null, "No issues match"),
    h("p", null, `Nothing here contains “${state.query}”.`),
    h("button", { onclick: () => openList({ query: "" }) }, "Clear search"));
}

function issueView() {
  const { issue } = state;
  const isOpen = issue.state === "open";
  const box = h("textarea", { rows: 3, "aria-label": "Add a comment",
    placeholder: "Add a comment" });
  const comment = () => box.value.trim() &&
    changeIssue("comments", { text: box.value.trim() }, "Comment added");
  const priority = h("select", {
    onchange: event => changeIssue("priority", { priority: event.target.value }, "Priority saved"),
  }, ["Low", "Normal", "High"].map(one =>
    h("option", { selected: one === issue.priority }, one)));
  return [
    h("button", { onclick: () => openList({}) }, "Back to issues"),
    h("h1", null, issue.title),
    h("p", null, `#${issue.id} opened ${issue.opened} by ${issue.author} · `,
      h("b", null, isOpen ? "Open" : "Closed")),
    h("div", { class: "issue" },
      h("section", null, h("p", null, issue.body),
        h("h2", null, "Comments"),
        issue.comments.map(one => h("div", { class: "comment" },
          h("small", null, `${one.author}, ${one.when}`), h("p", null, one.text))),
        !issue.comments.length && h("p", null, "No comments yet."),
        box, h("p", null, h("button", { class: "primary", onclick: comment }, "Comment"))),
      h("aside", null,
        h("p", null, issue.assignee ? `Assigned to ${issue.assignee}` : "Not assigned"),
        h("p", null, h("button", { onclick: () => set({ dialog: "assign" }) }, "Assign to…")),
        h("label", { class: "field" }, "Priority", priority),
        h("p", null, issue.labels.map(label => h("span", { class: "label" }, label))),
        h("p", null, h("button", {
          onclick: () => changeIssue("state", { state: isOpen ? "closed" : "open" },
            isOpen ? "Issue closed" : "Issue reopened"),
        }, isOpen ? "Close issue" : "Reopen issue")),
        h("p", null, h("button", { onclick: () => set({ dialog: "delete" }) }, "Delete issue")))),
  ];
}

async function saveSettings(change, said) {
  set({ settings: await call("POST", "/api/settings", change) });
  toast(said);
}

function settingsView() {
  const names = { profile: "Profile", notifications: "Notifications", labels: "Labels" };
  const panels = { profile: profilePanel, notifications: notificationsPanel, labels: labelsPanel };
  const tab = ([name, text]) => h("button", { role: "tab", onclick: () => set({ tab: name }),
    "aria-selected": String(name === state.tab) }, text);
  return [
    h("h1", null, "Settings"),
    h("div", { role: "tablist" }, Object.entries(names).map(tab)),
    h("div", { role: "tabpanel" }, panels[state.tab](state.settings)),
  ];
}

function profilePanel(settings) {
  const name = h("input", { value: settings.name });
  const zone = h("select", null, ["Berlin", "Lagos", "New York", "Tokyo"].map(one =>
    h("option", { selected: one === settings.zone }, one)));
  return [
    h("label", { class: "field" }, "Display name", name),
    h("label", { class: "field" }, "Time zone", zone),
    h("button", { class: "primary",
      onclick: () => saveSettings({ name: name.value, zone: zone.value }, "Profile saved") },
    "Save profile"),
  ];
}

function notificationsPanel(settings) {
  const box = (key, text) => {
    const input = h("input", { type: "checkbox", checked: settings[key] });
    return [h("label", { class: "check" }, input, " " + text), input];
  };
  const [comments, commentsBox] = box("onComment", "Mail me new comments");
  const [assigned, assignedBox] = box("onAssign", "Mail me what I am assigned");
  const often = h("select", null, ["Never", "Daily", "Weekly"].map(one =>
    h("option", { selected: one === settings.digest }, one)));
  return [
    h("p", null, comments), h("p", null, assigned),
    h("label", { class: "field" }, "Digest", often),
    h("button", { class: "primary", onclick: () => saveSettings({
      onComment: commentsBox.checked, onAssign: assignedBox.checked, digest: often.value,
    }, "Notifications saved") }, "Save notifications"),
  ];
}

function labelsPanel(settings) {
  const field = h("input", { "aria-label": "New label", placeholder: "New label" });
  const without = label => settings.labels.filter(one => one !== label);
  const add = () => field.value.trim() && saveSettings(
    { labels: [...without(field.value.trim()), field.value.trim()] }, "Label added");
  return [
    h("ul", null, settings.labels.map(label => h("li", null,
      h("span", { class: "label" }, label), " ",
      h("button", { "aria-label": `Remove label ${label}`,
        onclick: () => saveSettings({ labels: without(label) }, "Label removed") }, "×")))),
    field, " ", h("button", { onclick: add }, "Add label"),
  ];
}

function drawDialog() {
  const overlay = document.querySelector(".overlay");
  const dialogs = { new: newDialog, delete: deleteDialog, assign: assignDialog };
  overlay.hidden = !state.dialog;
  overlay.replaceChildren(state.dialog ? dialogs[state.dialog]() : "");
  overlay.querySelector("input, button, [tabindex]")?.focus();
}

const cancel = () => set({ dialog: null });

function dialogBox(title, ...children) {
  return h("div", { class: "dialog", role: "dialog", "aria-modal": "true", "aria-label": title },
    h("h2", null, title), children);
}

function newDialog() {
  const title = h("input", { name: "title" });
  const body = h("textarea", { rows: 4 });
  const priority = h("select", null,
    ["Low", "Normal", "High"].map(one => h("option", { selected: one === "Normal" }, one)));
  const mine = h("input", { type: "checkbox" });
  const problem = h("p", { class: "problem", role: "alert" });
  const create = async () => {
    if (!title.value.trim()) {
      problem.textContent = "A title is needed.";
      title.focus();
      return;
    }
    const issue = await call("POST", "/api/issues", { title: title.value.trim(),
      body: body.value, priority: priority.value, mine: mine.checked });
    set({ issue, view: "issue", dialog: null });
    toast(`Issue #${issue.id} created`);
  };
  return dialogBox("New issue", problem,
    h("label", { class: "field" }, "Title", title),
    h("label", { class: "field" }, "Description", body),
    h("label", { class: "field" }, "Priority", priority),
    h("p", null, h("label", null, mine, " Assign it to me")),
    h("div", { class: "bar" }, h("button", { onclick: cancel }, "Cancel"),
      h("button", { class: "primary", onclick: create }, "Create")));
}

function deleteDialog() {
  const remove = async () => {
    await call("DELETE", "/api/issues/" + state.issue.id);
    await openList({});
    toast("Issue deleted");
  };
  return dialogBox("Delete issue?",
    h("p", null, `“${state.issue.title}” and its comments will be gone.`),
    h("div", { class: "bar" }, h("button", { onclick: cancel }, "Cancel"),
      h("button", { class: "danger", onclick: remove }, "Delete")));
}

function assignDialog() {
  const choose = assignee => changeIssue("assignee", { assignee },
    assignee ? `Assigned to ${assignee}` : "No longer assigned");
  return dialogBox("Assign to",
    h("div", { class: "people" },
      PEOPLE.map(one => h("div", { onclick: () => choose(one) }, one)),
      state.issue.assignee && h("div", { onclick: () => choose(null) }, "Nobody")),
    h("button", { onclick: cancel }, "Cancel"));
}

document.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (state.dialog || state.isMenuOpen) set({ dialog: null, isMenuOpen: false });
});

openList({});
