// What all views are made of.
import { Refusal } from "/console/api.js";
import { inWords, language, moment, say } from "/console/words.js";

const { h } = globalThis.preact;
export const { render } = globalThis.preact;
export const { useEffect, useRef, useState } = globalThis.preactHooks;
export const html = globalThis.htm.bind(h);

/** Runs calls one at a time: what the last one answered, or why it was refused. */
export function useCall() {
  const [state, setState] = useState({ busy: false });
  const busy = useRef(false);
  const run = async (work) => {
    if (busy.current) {
      return undefined; // a second click is no second call
    }
    busy.current = true;
    setState({ busy: true });
    try {
      const answer = await work();
      setState({ busy: false, answer });
      return answer;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) {
        throw refusal;
      }
      setState({ busy: false, refusal });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  return { ...state, run };
}

/** Reads something when the view opens, and again when one of the keys changes. */
export function useReading(read, keys) {
  const [state, setState] = useState({});
  useEffect(() => {
    let left = false;
    read().then(
      (answer) => left || setState({ answer }),
      (refusal) => left || setState({ refusal }),
    );
    return () => {
      left = true;
    };
  }, keys);
  return state;
}

/** A refusal in plain words, with its code. Always there, so that it is read out when it fills. */
export function Refused({ refusal }) {
  return html`<div role="alert" class=${refusal ? "note bad" : "empty"}>
    ${refusal &&
    html`<p>${inWords(refusal)}</p>
      <p class="quiet">
        <code>${refusal.code}</code>${refusal.status ? ` · HTTP ${refusal.status}` : ""}
        ${language() === "en" && refusal.message !== inWords(refusal) ? ` · ${refusal.message}` : ""}
      </p>`}
  </div>`;
}

export function Done({ children }) {
  return html`<div role="status" class=${children ? "note good" : "empty"}>${children}</div>`;
}

export function Chip({ kind, children }) {
  return html`<span class=${`chip ${kind}`}>${children}</span>`;
}

/** A button that the token's role allows, or one that says why it does not. */
export function Act({ role, needs, kind = "", disabled, onClick, children, ...rest }) {
  const allowed = may(role, needs);
  const reason = allowed ? undefined : say("needsRole", { role: say(`role_${needs}`) });
  return html`<button
    type="button"
    class=${kind}
    disabled=${!allowed || disabled}
    title=${reason}
    onClick=${onClick}
    ...${rest}
  >
    ${children}${reason && html`<span class="hidden-text"> (${reason})</span>`}
  </button>`;
}

const ROLES = ["view", "operate", "admin"];
export const may = (role, needs) => ROLES.indexOf(role) >= ROLES.indexOf(needs);

/** A modal dialog; Escape and the close button leave it. */
export function Dialog({ title, onClose, children }) {
  const box = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  return html`<dialog ref=${box} aria-labelledby="dialog-title" onClose=${onClose}>
    <div class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button type="button" onClick=${() => box.current.close()} aria-label=${say("close")}>✕</button>
    </div>
    ${children}
  </dialog>`;
}

/** Asks for the product id before what cannot be undone. */
export function TypedId({ productId, value, onInput }) {
  return html`<label class="field">
    <span>${say("typeId", { productId })}</span>
    <input
      name="typed"
      inputmode="numeric"
      autocomplete="off"
      autofocus
      value=${value}
      onInput=${(event) => onInput(event.target.value)}
    />
  </label>`;
}

function shown(name, value) {
  if (typeof value === "object") {
    return JSON.stringify(value);
  }
  return typeof value === "number" && (name === "until" || name.endsWith("At")) ? moment(value) : String(value);
}

/** Members, also those of objects within. */
const flat = (object) =>
  Object.entries(object ?? {}).flatMap(([name, value]) =>
    value && typeof value === "object" && !Array.isArray(value) ? flat(value) : [[name, value]],
  );

/** Members that differ, as lines of name, old value and new value. */
export function Changes({ before, after }) {
  const old = Object.fromEntries(flat(before));
  const changes = flat(after).filter(([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value));
  return html`<dl class="facts">
    ${before &&
    changes.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${old[name] == null ? "–" : shown(name, old[name])} → ${value == null ? "–" : shown(name, value)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** JSON of any shape as lines of name and value. */
export function Facts({ of }) {
  const facts = Object.entries(Object.fromEntries(flat(of))).filter(([, value]) => value !== null && value !== undefined);
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${shown(name, value)}</dd>
        </div>`,
    )}
  </dl>`;
}

export function Empty({ children }) {
  return html`<p class="quiet pad">${children}</p>`;
}
