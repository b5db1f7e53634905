"use strict";
const STEPS = {
  person: { title: "About you", fields: [
    { name: "fullName", label: "Full name", need: "Enter your full name" },
    { name: "email", label: "E-mail", need: "Enter your e-mail", hint: "We send the permit there.",
      form: /^\S+@\S+\.\S+$/, wrong: "Enter an e-mail like name@example.com" },
    { name: "phone", label: "Phone (optional)" },
  ] },
  vehicle: { title: "Your vehicle", fields: [
    { name: "plate", label: "Number plate", need: "Enter the number plate",
      form: /^[A-Z]{2} ?\d{3,5}$/i, wrong: "Enter a plate like EL 2041" },
    { name: "owner", label: "Whose vehicle is it?", need: "Choose whose vehicle it is",
      options: ["My own", "A company's", "Rented"] },
    { name: "electric", box: "It is an electric vehicle" },
  ] },
  company: { title: "The company", fields: [
    { name: "companyName", label: "Company name", need: "Enter the name of the company" },
    { name: "companyNumber", label: "Registration number", need: "Enter the registration number",
      form: /^\d{6}$/, wrong: "The registration number has six digits" },
  ] },
  permit: { title: "The permit", fields: [
    { name: "zone", label: "Zone", need: "Choose a zone",
      list: ["Old town", "Harbour", "Station", "University"] },
    { name: "term", label: "How long?", need: "Choose how long",
      options: ["One month", "Six months", "One year"] },
  ] },
  contact: { title: "Reminders", fields: [
    { name: "mail", box: "Remind me by e-mail" },
    { name: "text", box: "Remind me by text message" },
    { name: "language", label: "Language of letters", list: ["English", "French", "Polish"],
      preset: "English" },
  ] },
  summary: { title: "Check your answers", fields: [
    { name: "truth", box: "All of this is true", need: "Confirm that all of this is true" },
  ] },
};
const PRICES = { "One month": 30, "Six months": 150, "One year": 260 };
let answers = {};
let step = "person";
let errors = {};
let reference = null;
let telling = Promise.resolve();

const wayOf = answers => Object.keys(STEPS).filter(name =>
  name !== "company" || answers.owner === "A company's");

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function price() {
  const full = PRICES[answers.term] ?? 0;
  return answers.electric ? full / 2 : full;
}

function check(field) {
  const value = answers[field.name];
  if (field.need && !value) return field.need;
  if (field.form && value && !field.form.test(value)) return field.wrong;
  return null;
}

function drawField(field) {
  const { name } = field;
  const error = errors[name] ? [element("p", { className: "error" }, errors[name])] : [];
  if (field.box) {
    const input = element("input", { type: "checkbox", checked: !!answers[name] });
    input.addEventListener("change", () => { answers[name] = input.checked; });
    return [...error, element("label", { className: "choice" }, input, " " + field.box)];
  }
  if (field.options) {
    const radios = field.options.map(option => {
      const input = element("input", { type: "radio", name, checked: answers[name] === option });
      input.addEventListener("change", () => {
        answers[name] = option;
        drawProgress();
      });
      return element("label", { className: "choice" }, input, " " + option);
    });
    return [element("fieldset", {}, element("legend", {}, field.label), ...error, ...radios)];
  }
  const options = field.list?.map(option => element("option", {}, option)) ?? [];
  const blank = field.preset ? [] : [element("option", { value: "" }, "Please choose")];
  const input = field.list ? element("select", {}, ...blank, ...options) : element("input");
  input.id = name;
  input.value = answers[name] ?? field.preset ?? "";
  if (errors[name]) input.setAttribute("aria-invalid", "true");
  input.addEventListener("input", () => { answers[name] = input.value.trim(); });
  return [
    element("label", { htmlFor: name }, field.label),
    ...(field.hint ? [element("p", { className: "hint" }, field.hint)] : []),
    ...error, input,
  ];
}

function drawSummary() {
  const rows = [];
  for (const name of wayOf(answers).slice(0, -1)) {
    const { title, fields } = STEPS[name];
    const change = element("a", { href: "#" }, "Change");
    change.setAttribute("aria-label", "Change " + title.toLowerCase());
    change.addEventListener("click", event => { event.preventDefault(); go(name); });
    const values = fields.map(field => {
      const value = answers[field.name] ?? field.preset;
      return field.box ? (value ? field.box : null) : value;
    });
    rows.push(element("dt", {}, title),
      element("dd", {}, values.filter(Boolean).join(", ") || "None"), element("dd", {}, change));
  }
  return [element("dl", {}, ...rows), element("p", {}, `To pay: €${price()}`)];
}

function drawProgress() {
  const items = wayOf(answers).map(name =>
    element("li", { className: name === step ? "now" : "" }, STEPS[name].title));
  document.querySelector(".progress").replaceChildren(...(reference ? [] : items));
}

function draw() {
  drawProgress();
  const form = document.querySelector("form");
  if (reference) {
    const again = element("button", { type: "button" }, "Apply for another permit");
    again.addEventListener("click", () => { answers = {}; reference = null; go("person"); });
    form.replaceChildren(
      element("div", { className: "done" }, element("h2", {}, "Application sent"),
        "Your reference number", element("strong", {}, reference)),
      element("p", {}, `We write to ${answers.email} within three days.`),
      element("p", { className: "buttons" }, again));
    return tell("done");
  }
  const way = wayOf(answers);
  const at = way.indexOf(step);
  const { title, fields } = STEPS[step];
  const next = element("button", { className: "next" }, step === "summary" ? "Send" : "Next");
  // Not a button to a browser: it must not send the form by Enter.
  const back = element("div", { tabIndex: 0 }, "Back");
  back.addEventListener("click", () => go(way[at - 1]));
  form.replaceChildren(
    element("p", { className: "hint" }, `Step ${at + 1} of ${way.length}`),
    element("h2", {}, title),
    ...(Object.keys(errors).length
      ? [element("p", { className: "error", role: "alert" }, "There is a problem.")] : []),
    ...(step === "summary" ? drawSummary() : []),
    ...fields.flatMap(drawField),
    element("div", { className: "buttons" }, ...(at > 0 ? [back] : []), next));
  return tell(step);
}

function go(to) {
  step = to;
  errors = {};
  draw();
}

// The server is told what is on show, one after the other.
function tell(name) {
  telling = telling.then(() => fetch("/at/" + name, { cache: "no-store" })).catch(() => {});
}

async function send() {
  const answer = await fetch("/api/submit", { method: "POST", body: JSON.stringify(answers),
    headers: { "Content-Type": "application/json" } });
  ({ reference } = await answer.json());
  draw();
}

document.querySelector("form").addEventListener("submit", event => {
  event.preventDefault();
  if (reference) return;
  errors = {};
  for (const field of STEPS[step].fields) {
    const error = check(field);
    if (error) errors[field.name] = error;
  }
  const way = wayOf(answers);
  if (Object.keys(errors).length) draw();
  else if (step === "summary") send();
  else go(way[way.indexOf(step) + 1]);
});

draw();
