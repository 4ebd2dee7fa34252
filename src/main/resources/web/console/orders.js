// An order: found by request id, order id, or user and product, with its way step by step.
import { call } from "/console/api.js";
import { millis } from "/console/live.js";
import { Chip, Facts, Refused, html, useCall, useState } from "/console/ui.js";
import { moment, named, preciseClock, say, span } from "/console/words.js";

const KINDS = { SUCCESS: "good", PENDING: "calm" };
const BAD_STEPS = ["DEAD_LETTERED", "PARKED", "RELEASED", "WRITTEN_OFF", "COMPENSATED"];

function Way({ order }) {
  const began = order.steps.map((step) => millis(step.at)).find((at) => at != null);
  return html`<article class="card">
    <h2>
      <code>${order.requestId}</code>
      <${Chip} kind=${KINDS[order.status] ?? "bad"}>${order.status ? named("status", order.status) : "–"}<//>
    </h2>
    <p>
      ${say("product")} <a href=${`#/sales/${order.productId}`}>${order.productId}</a> · ${say("user")} ${order.userId}${" · "}
      ${say("quantity")} ${order.quantity ?? "–"} · ${say("key")} <code>${order.idemKey ?? "–"}</code> · ${say("order")} ${order.orderId ?? "–"}
    </p>
    <ol class="way">
      ${order.steps.map((step) => {
        const at = millis(step.at);
        return html`<li class=${BAD_STEPS.includes(step.step) ? "bad" : ""}>
          <b>${named("step", step.step)}</b>
          <span class="quiet">
            ${at == null ? say("timeUnknown") : html`<time datetime=${new Date(at).toISOString()} title=${moment(at)}>${preciseClock(at)}</time>`}
            ${at != null && began != null && at > began ? ` · +${span(at - began)}` : ""}
          </span>
          <${Facts} of=${step.detail} />
        </li>`;
      })}
    </ol>
  </article>`;
}

export function Orders() {
  const [values, setValues] = useState({ requestId: "", orderId: "", userId: "", productId: "" });
  const { busy, answer, refusal, run } = useCall();
  const search = (...names) => (event) => {
    event.preventDefault();
    const query = new URLSearchParams(names.map((name) => [name, values[name].trim()]));
    run(() => call("GET", `/admin/orders?${query}`));
  };
  const field = (name, rest = {}) =>
    html`<label class="field">
      <span>${say(name)}</span>
      <input
        name=${name}
        required
        autocomplete="off"
        value=${values[name]}
        onInput=${(event) => setValues({ ...values, [name]: event.target.value })}
        ...${rest}
      />
    </label>`;
  const id = { inputmode: "numeric", pattern: "[1-9][0-9]*" };
  const find = html`<button class="main" disabled=${busy}>${say("find")}</button>`;
  return html`
    <div class="title"><h1>${say("view_orders")}</h1></div>
    <div class="columns">
      <form class="card form" onSubmit=${search("requestId")}>${field("requestId")}${find}</form>
      <form class="card form" onSubmit=${search("orderId")}>${field("orderId", id)}${find}</form>
      <form class="card form" onSubmit=${search("userId", "productId")}>
        <div class="fields">${field("userId", id)}${field("productId", id)}</div>
        ${find}
      </form>
    </div>
    <${Refused} refusal=${refusal} />
    <div role="status">
      ${answer && !answer.orders.length && html`<p class="quiet pad">${say("noOrders")}</p>`}
      ${answer?.orders.map((order) => html`<${Way} key=${order.requestId} order=${order} />`)}
    </div>
  `;
}
