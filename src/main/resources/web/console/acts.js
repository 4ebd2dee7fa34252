// The dialogs of a sale's acts. Each sends the documented call of its name.
import { call, newKey } from "/console/api.js";
import { TermFields, readChanges, termsOf, useTerms } from "/console/terms.js";
import { Dialog, Facts, Refused, TypedId, html, useCall, useRef, useState } from "/console/ui.js";
import { number, say } from "/console/words.js";

const path = (sale, act = "") => `/admin/sales/${sale.productId}${act}`;

export function Change({ sale, onClose }) {
  const before = useRef(termsOf(sale)).current;
  const terms = useTerms(before);
  const changes = readChanges(terms.values, before);
  const { busy, refusal, run } = useCall();
  const submit = (event) => {
    event.preventDefault();
    run(async () => {
      await call("PATCH", path(sale), { body: changes });
      onClose("done_change");
    });
  };
  return html`<${Dialog} title=${say("change")} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <${TermFields} terms=${terms} />
      <div class="buttons">
        <button class="main" disabled=${busy || !Object.keys(changes).length}>${say("save")}</button>
      </div>
      <${Refused} refusal=${refusal} />
    </form>
  <//>`;
}

export function Restock({ sale, onClose }) {
  // one key for this form: a second click, or a retry after a lost answer, adds nothing
  const key = useRef({ units: "", key: newKey() }).current;
  const [units, setUnits] = useState("");
  const { busy, refusal, run } = useCall();
  const submit = (event) => {
    event.preventDefault();
    if (key.units && key.units !== units) {
      key.key = newKey(); // another number is another wish
    }
    key.units = units;
    run(async () => {
      await call("POST", path(sale, "/restock"), {
        body: { units: Number(units) },
        headers: { "Idempotency-Key": key.key },
      });
      onClose("done_restock");
    });
  };
  return html`<${Dialog} title=${say("restock")} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <label class="field">
        <span>${say("units")}</span>
        <input
          name="units"
          type="number"
          min="1"
          max="1000000000"
          step="1"
          required
          autofocus
          value=${units}
          onInput=${(event) => setUnits(event.target.value)}
        />
      </label>
      <div class="buttons"><button class="main" disabled=${busy}>${say("restock")}</button></div>
      <${Refused} refusal=${refusal} />
    </form>
  <//>`;
}

/** What cannot be undone: it says so, and asks for the product id. */
function Final({ sale, title, explanation, act, word, onClose, children }) {
  const [typed, setTyped] = useState("");
  const { busy, refusal, answer, run } = useCall();
  const submit = (event) => {
    event.preventDefault();
    run(() => act());
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form class="form" onSubmit=${submit}>
      <p>${explanation}</p>
      ${children}
      <div role="status">${answer && html`<div class="note good"><p>${say(word)}</p><${Facts} of=${answer} /></div>`}</div>
      ${!answer &&
      html`<${TypedId} productId=${sale.productId} value=${typed} onInput=${setTyped} />
        <div class="buttons">
          <button class="danger" disabled=${busy || typed !== String(sale.productId)}>${title}</button>
        </div>`}
      <${Refused} refusal=${refusal} />
    </form>
  <//>`;
}

export function End({ sale, onClose }) {
  return html`<${Final}
    sale=${sale}
    title=${say("end")}
    explanation=${say("endIs")}
    act=${async () => {
      await call("POST", path(sale, "/end"));
      onClose("done_end");
    }}
    onClose=${onClose}
  />`;
}

export function Settle({ sale, onClose }) {
  return html`<${Final}
    sale=${sale}
    title=${say("settle")}
    explanation=${say("settleIs")}
    act=${() => call("POST", path(sale, "/settle"))}
    word="done_settle"
    onClose=${onClose}
  />`;
}

const UNITS = ["initial", "restocked", "available", "pending", "sold", "writtenOff", "outbox", "epoch"];

/** A rebuild's report: what the book says, and what it would say. */
function Difference({ report }) {
  return html`<table class="rows difference">
      <thead>
        <tr>
          <th scope="col"><span class="hidden-text">${say("amount")}</span></th>
          <th scope="col" class="n">${say("before")}</th>
          <th scope="col" class="n">${say("after")}</th>
        </tr>
      </thead>
      <tbody>
        ${UNITS.map((unit) => {
          const before = report.before?.[unit];
          const after = report.after?.[unit];
          return html`<tr class=${before !== after && unit !== "epoch" ? "attention" : ""}>
            <th scope="row">${say(unit)}</th>
            <td class="n">${number(before)}</td>
            <td class="n">${number(after)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p>
      ${say("rebuildFound", {
        same: number(report.same),
        discrepancies: number(report.discrepancies),
        sentAgain: number(report.sentAgain),
        lost: number(report.lost),
      })}
    </p>`;
}

/** The dry run first; only then can the real one be asked for. */
export function Rebuild({ sale, onClose }) {
  const dry = useCall();
  const report = dry.answer;
  if (!report) {
    return html`<${Dialog} title=${say("rebuild")} onClose=${onClose}>
      <div class="form">
        <p>${say("rebuildIs")}</p>
        <div class="buttons">
          <button
            type="button"
            class="main"
            disabled=${dry.busy}
            onClick=${() => dry.run(() => call("POST", path(sale, "/rebuild?dryRun=true")))}
          >
            ${say("dryRun")}
          </button>
        </div>
        <${Refused} refusal=${dry.refusal} />
      </div>
    <//>`;
  }
  return html`<${Final}
    sale=${sale}
    title=${say("rebuild")}
    explanation=${say("rebuildWould")}
    act=${() => call("POST", path(sale, "/rebuild"))}
    word="done_rebuild"
    onClose=${onClose}
  >
    <${Difference} report=${report} />
  <//>`;
}
