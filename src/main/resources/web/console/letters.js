// Dead letters: what MySQL refused, why, and what becomes of it.
import { call } from "/console/api.js";
import { millis } from "/console/live.js";
import { Act, Chip, Dialog, Empty, Refused, TypedId, html, useReading, useState } from "/console/ui.js";
import { inWords, moment, number, say } from "/console/words.js";

const STATES = ["PARKED", "REPLAYED", "COMPENSATED", "CONFIRMED", "UNREADABLE"];
const PAGE = 100;

async function readPages(state, pages) {
  const letters = [];
  let after = 0;
  for (let page = 0; page < pages; page++) {
    const query = `limit=${PAGE}&after=${after}${state ? `&state=${state}` : ""}`;
    const answer = await call("GET", `/admin/dead-letters?${query}`);
    letters.push(...answer.deadLetters);
    if (answer.next == null) {
      return { letters, more: false };
    }
    after = answer.next;
  }
  return { letters, more: true };
}

function Letter({ letter, chosen, onChoose }) {
  return html`<li class=${chosen ? "card letter attention" : "card letter"}>
    <label class="check">
      <input type="checkbox" checked=${chosen} onChange=${onChoose} />
      <b>#${letter.id}</b>
    </label>
    <${Chip} kind=${letter.state === "PARKED" ? "warn" : ""}>${say(`letter_${letter.state}`)}<//>
    <span>${say("product")} ${letter.productId ?? "–"} · ${say("user")} ${letter.userId ?? "–"}</span>
    <span class="quiet">${moment(millis(letter.createdAt))}</span>
    <p class="bad-text"><b>${letter.cause}</b> <span class="quiet">${say("attempts", { count: number(letter.attempts) })}</span></p>
    ${letter.parkedUntil && html`<p class="quiet">${say("parkedUntil", { time: moment(millis(letter.parkedUntil)) })}</p>`}
    <details>
      <summary>${say("payload")}</summary>
      <pre tabindex="0">${letter.payload ?? letter.payloadBase64 ?? ""}</pre>
      <p class="quiet">${letter.requestId} · ${letter.source} · ${letter.origin}</p>
    </details>
  </li>`;
}

/** Does the same to each, one after the other, and says what became of each. */
function ForEach({ act, letters, onClose }) {
  const products = [...new Set(letters.map((letter) => letter.productId))];
  const [typed, setTyped] = useState("");
  const [results, setResults] = useState([]);
  const [busy, setBusy] = useState(false);
  const mixed = act === "compensate" && products.length > 1;
  const sure = act === "replay" || (!mixed && typed === String(products[0]));
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    for (const letter of letters) {
      const result = await call("POST", `/admin/dead-letters/${letter.id}/${act}`).then(
        (answer) => ({ id: letter.id, state: answer.state }),
        (refusal) => ({ id: letter.id, refusal }),
      );
      setResults((before) => [...before, result]);
    }
    setBusy(false);
  };
  const started = busy || results.length > 0;
  return html`<${Dialog} title=${say(act)} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <p>${say(`${act}Is`, { count: number(letters.length) })}</p>
      ${mixed && html`<p class="note warn">${say("oneProduct")}</p>`}
      ${!started && act === "compensate" && !mixed &&
      html`<${TypedId} productId=${products[0]} value=${typed} onInput=${setTyped} />`}
      ${!started &&
      html`<div class="buttons">
        <button class=${act === "replay" ? "main" : "danger"} disabled=${!sure}>${say(act)}</button>
      </div>`}
      <ul class="lines" role="status">
        ${results.map(
          ({ id, state, refusal }) =>
            html`<li>
              <b>#${id}</b>
              ${refusal
                ? html`<span class="bad-text">${inWords(refusal)} <code>${refusal.code}</code></span>`
                : html`<span class="good-text">${say(`letter_${state}`)}</span>`}
            </li>`,
        )}
      </ul>
    </form>
  <//>`;
}

export function Letters({ role }) {
  const [state, setState] = useState("PARKED");
  const [pages, setPages] = useState(1);
  const [again, setAgain] = useState(0);
  const [chosen, setChosen] = useState(() => new Set());
  const [act, setAct] = useState(null);
  const { answer, refusal } = useReading(() => readPages(state, pages), [state, pages, again]);
  const letters = answer?.letters ?? [];
  const picked = letters.filter((letter) => chosen.has(letter.id));
  const toggle = (id) => () => {
    const next = new Set(chosen);
    if (!next.delete(id)) {
      next.add(id);
    }
    setChosen(next);
  };
  const close = () => {
    setAct(null);
    setChosen(new Set());
    setAgain(again + 1);
  };
  return html`
    <div class="title">
      <h1>${say("view_letters")}</h1>
      <label>
        <span class="hidden-text">${say("state")}</span>
        <select value=${state} onChange=${(event) => {
          setChosen(new Set());
          setPages(1);
          setState(event.target.value);
        }}>
          ${STATES.map((one) => html`<option value=${one}>${say(`letter_${one}`)}</option>`)}
          <option value="">${say("all")}</option>
        </select>
      </label>
      <button type="button" onClick=${() => setAgain(again + 1)}>${say("refresh")}</button>
    </div>
    <div class="buttons">
      <label class="check">
        <input
          type="checkbox"
          checked=${letters.length > 0 && picked.length === letters.length}
          disabled=${!letters.length}
          onChange=${() => setChosen(picked.length === letters.length ? new Set() : new Set(letters.map(({ id }) => id)))}
        />
        ${say("chosen", { count: number(picked.length) })}
      </label>
      <${Act} role=${role} needs="operate" disabled=${!picked.length} onClick=${() => setAct("replay")}>${say("replay")}<//>
      <${Act} role=${role} needs="operate" kind="danger" disabled=${!picked.length} onClick=${() => setAct("compensate")}>${say("compensate")}<//>
    </div>
    <${Refused} refusal=${refusal} />
    <ul class="plain">
      ${letters.map(
        (letter) => html`<${Letter} key=${letter.id} letter=${letter} chosen=${chosen.has(letter.id)} onChoose=${toggle(letter.id)} />`,
      )}
    </ul>
    ${answer && !letters.length && html`<${Empty}>${say("noLetters")}<//>`}
    ${answer?.more && html`<button type="button" onClick=${() => setPages(pages + 1)}>${say("more")}</button>`}
    ${act && html`<${ForEach} act=${act} letters=${picked} onClose=${close} />`}
  `;
}
