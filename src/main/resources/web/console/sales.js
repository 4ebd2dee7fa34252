// The list of sales, the nodes, and the form for a new sale.
import { call } from "/console/api.js";
import { Flow, Nodes, Notices, PhaseChip, attentionInWords, countdownOf } from "/console/state.js";
import { live, phase, throttled } from "/console/live.js";
import { TermFields, readTerms, useTerms } from "/console/terms.js";
import { Act, Empty, Refused, html, may, useCall, useState } from "/console/ui.js";
import { number, rate, say } from "/console/words.js";

const ORDER = ["ON_SALE", "SOLD_OUT", "PAUSED", "SCHEDULED", "OVER", "ENDED", "SETTLED"];

/** What needs attention first, then what is going on, then what comes, then what was. */
function byUrgency(a, b) {
  const attention = (b.attention?.length ? 1 : 0) - (a.attention?.length ? 1 : 0);
  return attention || ORDER.indexOf(phase(a)) - ORDER.indexOf(phase(b)) || b.productId - a.productId;
}

function Sold({ ledger, stock }) {
  const all = ledger ? ledger.initial + ledger.restocked : stock;
  const taken = ledger ? ledger.sold + ledger.pending : null;
  return html`<span class="sold">
    <span>${number(taken)} / ${number(all)}</span>
    <meter min="0" max=${all || 1} value=${taken ?? 0} aria-hidden="true"></meter>
  </span>`;
}

export function Sales({ role }) {
  const [search, setSearch] = useState("");
  const [settled, setSettled] = useState(false);
  const all = [...live.sales.values()];
  const shown = all
    .filter((sale) => settled || phase(sale) !== "SETTLED" || search)
    .filter((sale) => `${sale.productId} ${sale.name}`.toLowerCase().includes(search.toLowerCase()))
    .sort(byUrgency);
  const hidden = all.length - shown.length;
  return html`
    <div class="title">
      <h1>${say("view_sales")}</h1>
      <input
        type="search"
        aria-label=${say("search")}
        placeholder=${say("search")}
        value=${search}
        onInput=${(event) => setSearch(event.target.value)}
      />
      <label class="check">
        <input type="checkbox" checked=${settled} onChange=${(event) => setSettled(event.target.checked)} />
        ${say("showSettled")}
      </label>
      ${may(role, "admin")
        ? html`<a class="button main" href="#/sales/new">${say("newSale")}</a>`
        : html`<${Act} role=${role} needs="admin">${say("newSale")}<//>`}
    </div>
    <${Notices} of=${live.overview?.attention} />
    <div class="card table">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">${say("product")}</th>
            <th scope="col">${say("state")}</th>
            <th scope="col" class="n">${say("soldOf")}</th>
            <th scope="col" class="n">${say("admittedNow")}</th>
            <th scope="col" class="n">${say("throttledNow")}</th>
            <th scope="col">${say("attention")}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (sale) =>
              html`<tr key=${sale.productId} class=${sale.attention?.length ? "attention" : ""}>
                <th scope="row">
                  <a href=${`#/sales/${sale.productId}`}>${sale.name}</a>
                  <span class="quiet"> #${sale.productId}</span>
                </th>
                <td data-title=${say("state")}>
                  <${PhaseChip} sale=${sale} /> <span class="quiet">${countdownOf(sale)}</span>
                </td>
                <td class="n" data-title=${say("soldOf")}><${Sold} ledger=${sale.ledger} /></td>
                <td class="n" data-title=${say("admittedNow")}>${rate(sale.perSecond?.admitted)}</td>
                <td class="n" data-title=${say("throttledNow")}>${rate(throttled(sale))}</td>
                <td data-title=${say("attention")}>${(sale.attention ?? []).map(attentionInWords).join(" ") || "–"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${!live.overview && html`<${Empty}>${say("asking")}<//>`}
      ${live.overview && !shown.length && html`<${Empty}>${say(hidden ? "noneShown" : "noSales")}<//>`}
    </div>
    <${Flow} />
    <${Nodes} />
  `;
}

export function NewSale({ role }) {
  const terms = useTerms({ productId: "", name: "", stock: "", maxQuantity: "1", starts: "", ends: "", rate: "", activity: "" });
  const { busy, refusal, run } = useCall();
  const submit = (event) => {
    event.preventDefault();
    run(async () => {
      const productId = Number(terms.values.productId);
      await call("PUT", `/admin/sales/${productId}`, { body: readTerms(terms.values) });
      location.hash = `#/sales/${productId}`;
    });
  };
  return html`<form class="card form" onSubmit=${submit}>
    <h1>${say("newSale")}</h1>
    <${TermFields} terms=${terms} creating />
    <p class="quiet">${say("fixedLater")}</p>
    <div class="buttons">
      <button class="main" disabled=${busy || !may(role, "admin")}>${say("create")}</button>
      <a class="button" href="#/sales">${say("cancel")}</a>
    </div>
    <${Refused} refusal=${refusal} />
  </form>`;
}
