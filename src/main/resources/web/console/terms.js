// The terms of a sale as fields of a form: their limits are those of the calls.
import { millis } from "/console/live.js";
import { html, useState } from "/console/ui.js";
import { say, utc } from "/console/words.js";

export function useTerms(initial) {
  const [values, setValues] = useState(initial);
  return { values, set: (name, value) => setValues((before) => ({ ...before, [name]: value })) };
}

const numberOrNull = (text) => (text === "" ? null : Number(text));
const timeOrNull = (text) => (text === "" ? null : new Date(text).toISOString());

/** The local time that a datetime-local field shows. */
export function local(time) {
  const ms = millis(time);
  if (ms == null) {
    return "";
  }
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 19).replace(/:00$/, ""); // as the field itself writes it
}

/** The fields as a body of PUT. */
export const readTerms = (values) => ({
  name: values.name,
  stock: Number(values.stock),
  maxQuantity: numberOrNull(values.maxQuantity),
  startsAt: timeOrNull(values.starts),
  endsAt: timeOrNull(values.ends),
  ratePerSecond: numberOrNull(values.rate),
  activityId: numberOrNull(values.activity),
});

const MEMBERS = {
  name: ["name", (text) => text],
  starts: ["startsAt", timeOrNull],
  ends: ["endsAt", timeOrNull],
  rate: ["ratePerSecond", numberOrNull],
  activity: ["activityId", numberOrNull],
};

/** The fields that changed, as a body of PATCH. */
export const readChanges = (values, before) =>
  Object.fromEntries(
    Object.entries(MEMBERS)
      .filter(([field]) => values[field] !== before[field])
      .map(([field, [member, read]]) => [member, read(values[field])]),
  );

export const termsOf = (sale) => ({
  name: sale.name,
  starts: local(sale.startsAt),
  ends: local(sale.endsAt),
  rate: sale.ratePerSecond == null ? "" : String(sale.ratePerSecond),
  activity: sale.activityId == null ? "" : String(sale.activityId),
});

function Field({ terms, name, label, hint, ...input }) {
  return html`<label class="field">
    <span>${label}</span>
    <input
      name=${name}
      value=${terms.values[name]}
      onInput=${(event) => terms.set(name, event.target.value)}
      ...${input}
    />
    ${hint && html`<small class="quiet">${hint}</small>`}
  </label>`;
}

function Time({ terms, name, label, empty }) {
  const value = terms.values[name];
  return html`<${Field}
    terms=${terms}
    name=${name}
    label=${label}
    type="datetime-local"
    step="1"
    hint=${value ? utc(Date.parse(value)) : empty}
  />`;
}

export function TermFields({ terms, creating }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const whole = ({ name, ...rest }) =>
    html`<${Field} terms=${terms} name=${name} type="number" step="1" ...${rest} />`;
  return html`<div class="fields">
    ${creating && whole({ name: "productId", label: say("productId"), min: 1, required: true })}
    <${Field} terms=${terms} name="name" label=${say("name")} maxlength="200" required />
    ${creating &&
    html`${whole({ name: "stock", label: say("stock"), min: 0, max: 1_000_000_000, required: true })}
    ${whole({ name: "maxQuantity", label: say("maxQuantity"), min: 1, max: 1_000_000, required: true })}`}
    <${Time} terms=${terms} name="starts" label=${say("startsAt", { zone })} empty=${say("startsAtOnce")} />
    <${Time} terms=${terms} name="ends" label=${say("endsAt", { zone })} empty=${say("endsByHand")} />
    ${whole({ name: "rate", label: say("ratePerSecond"), min: 1, max: 10_000_000, hint: say("perNode") })}
    ${whole({ name: "activity", label: say("activityId"), min: 1, hint: say("activityIs") })}
  </div>`;
}
