// How sales, nodes and the way to MySQL are: what several views show.
import { Chart } from "/console/chart.js";
import { live, millis, now, phase } from "/console/live.js";
import { Chip, Empty, html } from "/console/ui.js";
import { countdown, has, number, rate, say, span } from "/console/words.js";

const KINDS = { ON_SALE: "good", SCHEDULED: "calm", PAUSED: "warn", SOLD_OUT: "warn" };

export function PhaseChip({ sale }) {
  const state = phase(sale);
  return html`<${Chip} kind=${KINDS[state] ?? ""}>${say(`phase_${state}`)}<//>`;
}

/** How long until the sale starts or ends; empty when no time is set. */
export function countdownOf(sale) {
  const state = phase(sale);
  if (state === "SCHEDULED") {
    return say("startsIn", { time: countdown(millis(sale.startsAt) - now()) });
  }
  const ends = millis(sale.endsAt);
  return ["ON_SALE", "SOLD_OUT", "PAUSED"].includes(state) && ends > now()
    ? say("endsIn", { time: countdown(ends - now()) })
    : "";
}

export const attentionInWords = ({ code, detail }) =>
  has(`attention_${code}`) ? say(`attention_${code}`) : detail;

/** What needs attention, in plain words and as the server told it. */
export function Notices({ of }) {
  return (of ?? []).map(
    (notice) =>
      html`<p class="note warn" key=${notice.code + notice.detail}>
        <b>${attentionInWords(notice)}</b> ${notice.detail} <code>${notice.code}</code>
      </p>`,
  );
}

export function Tile({ title, children, hint, kind = "" }) {
  return html`<div class=${`tile ${kind}`}>
    <dt>${title}</dt>
    <dd>${children}</dd>
    ${hint && html`<dd class="quiet">${hint}</dd>`}
  </div>`;
}

/** The way of the orders from Redis to MySQL, of all sales together. */
export function Flow({ events = live.happened, children }) {
  const flow = live.overview?.flow;
  if (!flow) {
    return null;
  }
  return html`<section class="card" aria-labelledby="flow-title">
    <h2 id="flow-title">${say("flow")}</h2>
    <dl class="tiles">
      <${Tile} title=${say("latency")} hint=${say("latencyIs")}>
        ${flow.latency ? `${span(flow.latency.p50Ms)} · ${span(flow.latency.p99Ms)}` : "–"}
      <//>
      <${Tile} title=${say("outbox")} hint=${flow.outbox?.length ? say("oldest", { age: span(flow.outbox.oldestMs) }) : ""}>
        ${number(flow.outbox?.length)}
      <//>
      <${Tile} title=${say("lag")}>${number(flow.lag)}<//>
      <${Tile} title=${say("relayed")}>${rate(flow.relayedPerSecond)}<//>
      <${Tile} title=${say("written")}>${rate(flow.writtenPerSecond)}<//>
      <${Tile} title=${say("parked")} kind=${flow.deadLetters?.parked ? "bad" : ""}>
        <a href="#/letters">${number(flow.deadLetters?.parked)}</a>
      <//>
    </dl>
    <div class="charts">
      <${Chart}
        title=${say("latency")}
        series=${live.flow}
        events=${events}
        unit=" ms"
        lines=${[
          { column: "p50", word: "median", color: "--series-a" },
          { column: "p99", word: "ninetyNine", color: "--series-b", dash: [6, 4] },
        ]}
      />
      <${Chart}
        title=${say("waiting")}
        series=${live.flow}
        events=${events}
        lines=${[
          { column: "outbox", word: "outbox", color: "--series-a", fill: "--series-a-soft" },
          { column: "lag", word: "lag", color: "--series-c", dash: [6, 4] },
        ]}
      />
    </div>
    ${children}
  </section>`;
}

function nodeState(node) {
  return node.lost ? ["bad", "node_lost"] : node.ready ? ["good", "node_ready"] : ["warn", "node_unready"];
}

/** Nodes tell of themselves once a second, so a shorter time says nothing. */
function heard(node) {
  const seconds = Math.round((now() - millis(node.seenAt)) / 1000);
  return seconds < 2 ? say("justNow") : say("ago", { age: span(seconds * 1000) });
}

export function Nodes() {
  const nodes = live.overview?.nodes ?? [];
  return html`<section class="card table" aria-labelledby="nodes-title">
    <h2 id="nodes-title">${say("nodes")}</h2>
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">${say("node")}</th>
          <th scope="col">${say("state")}</th>
          <th scope="col">${say("heard")}</th>
          <th scope="col">${say("checks")}</th>
        </tr>
      </thead>
      <tbody>
        ${nodes.map((node) => {
          const [kind, word] = nodeState(node);
          const down = node.checks?.filter((check) => !check.up) ?? [];
          return html`<tr key=${node.node}>
            <th scope="row">${node.node} ${node.node === live.overview.node && html`<span class="quiet">${say("thisNode")}</span>`}</th>
            <td data-title=${say("state")}><${Chip} kind=${kind}>${say(word)}<//></td>
            <td data-title=${say("heard")}>${heard(node)}</td>
            <td data-title=${say("checks")}>
              ${down.length
                ? down.map((check) => html`<span class="bad-text"><b>${check.name}</b> ${check.detail ?? ""} </span>`)
                : node.lost ? "–" : say("checksUp", { count: number(node.checks?.length) })}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${!nodes.length && html`<${Empty}>${say("asking")}<//>`}
  </section>`;
}
