// One sale, live: its equation, its rates, what happened, and what can be done.
import { asBuyer, call } from "/console/api.js";
import { Change, End, Rebuild, Restock, Settle } from "/console/acts.js";
import { Chart } from "/console/chart.js";
import { live, millis, phase, refused, saleOf, secondsLeft, throttled } from "/console/live.js";
import { Flow, Nodes, Notices, PhaseChip, Tile, countdownOf } from "/console/state.js";
import { Act, Done, Empty, Refused, html, may, useCall, useEffect, useReading, useState } from "/console/ui.js";
import { clock, has, moment, named, number, rate, say, span } from "/console/words.js";

const PARTS = ["available", "pending", "sold", "writtenOff"];

/** initial + restocked = available + pending + sold + written off, as one bar. */
function Equation({ ledger, settled }) {
  if (!ledger) {
    return settled
      ? html`<p class="quiet">${say("noBookKept")}</p>`
      : html`<p class="note bad">${say("noBook")}</p>`;
  }
  const all = ledger.initial + ledger.restocked;
  const sum = PARTS.reduce((total, part) => total + ledger[part], 0);
  const right = ledger.balanced !== false && sum === all;
  return html`<section class="card" aria-labelledby="equation-title">
    <h2 id="equation-title">${say("equation")}</h2>
    <p class="equation">
      <span>${say("initial")} <b>${number(ledger.initial)}</b></span> +
      <span>${say("restocked")} <b>${number(ledger.restocked)}</b></span> =
      ${PARTS.map(
        (part, index) =>
          html`${index > 0 && " + "}<span data-part=${part}
              ><span class=${`swatch part-${part}`} aria-hidden="true"></span>${say(part)}${" "}<b>${number(ledger[part])}</b></span
            >`,
      )}
    </p>
    <div class="bar" aria-hidden="true">
      ${PARTS.map(
        (part) => html`<div class=${`part-${part}`} style=${{ flexGrow: ledger[part] / (sum || 1) }}></div>`,
      )}
    </div>
    <p class=${right ? "good-text" : "bad-text"} data-balanced=${String(right)}>
      ${say(right ? "balanced" : "unbalanced", { all: number(all), sum: number(sum) })}
    </p>
  </section>`;
}

const ANSWERS = {
  ON_SALE: "202",
  SCHEDULED: "FAIL_NOT_STARTED",
  PAUSED: "FAIL_PAUSED",
  SOLD_OUT: "FAIL_SOLD_OUT",
  ENDED: "FAIL_ENDED",
  OVER: "FAIL_ENDED",
  SETTLED: "FAIL_ENDED",
};

/** What GET /seckill/{productId} tells a buyer, and what his purchase would be answered. */
function Buyer({ sale }) {
  const [seen, setSeen] = useState(null);
  const state = phase(sale);
  useEffect(() => {
    let left = false;
    const look = () => asBuyer(sale.productId).then((answer) => left || setSeen(answer));
    look();
    const looking = setInterval(look, 2000);
    return () => {
      left = true;
      clearInterval(looking);
    };
  }, [sale.productId, state]);
  const told = seen?.state ?? state;
  const answer = ANSWERS[told];
  return html`<section class="card" aria-labelledby="buyer-title" data-buyer-sees=${told}>
    <h2 id="buyer-title">${say("buyerSees")}</h2>
    <p>${say("buyerState")} <b>${say(`phase_${told}`)}</b></p>
    <p>
      ${say("buyerAnswer")} <code>${answer}</code> ${has(`code_${answer}`) && say(`code_${answer}`)}
    </p>
  </section>`;
}

function Reasons({ sale }) {
  const reasons = Object.entries(sale.perSecond?.refused ?? {}).filter(([, value]) => value > 0);
  return html`<section class="card" aria-labelledby="reasons-title">
    <h2 id="reasons-title">${say("refusedBy")}</h2>
    <dl class="lines">
      ${reasons
        .sort(([, a], [, b]) => b - a)
        .map(
          ([code, value]) =>
            html`<div>
              <dt>${has(`code_${code}`) ? say(`code_${code}`, { maxQuantity: sale.maxQuantity }) : code} <code>${code}</code></dt>
              <dd>${rate(value)}</dd>
            </div>`,
        )}
    </dl>
    ${!reasons.length && html`<p class="quiet">${say("noneRefused")}</p>`}
  </section>`;
}

function Happened({ events }) {
  return html`<section class="card" aria-labelledby="happened-title">
    <h2 id="happened-title">${say("happened")}</h2>
    <ol class="lines">
      ${events.slice(0, 12).map(
        (event) =>
          html`<li key=${event.id}>
            <span class="quiet">${clock(event.at)}</span>
            <b>${named("event", event.kind)}</b>
            <span>${event.by ?? ""} <span class="quiet">${typeof event.detail === "string" ? event.detail : JSON.stringify(event.detail ?? "")}</span></span>
          </li>`,
      )}
    </ol>
    ${!events.length && html`<p class="quiet">${say("nothingHappened")}</p>`}
  </section>`;
}

function Terms({ sale }) {
  return html`<section class="card" aria-labelledby="terms-title">
    <h2 id="terms-title">${say("terms")}</h2>
    <dl class="lines">
      <div><dt>${say("starts")}</dt><dd>${moment(millis(sale.startsAt))}</dd></div>
      <div><dt>${say("ends")}</dt><dd>${moment(millis(sale.endsAt))}</dd></div>
      <div><dt>${say("maxQuantity")}</dt><dd>${number(sale.maxQuantity)}</dd></div>
      <div><dt>${say("ratePerSecond")}</dt><dd>${number(sale.ratePerSecond)}</dd></div>
      <div><dt>${say("activityId")}</dt><dd>${sale.activityId ?? "–"}</dd></div>
      <div><dt>${say("epoch")}</dt><dd>${sale.epoch}</dd></div>
    </dl>
  </section>`;
}

const DIALOGS = { change: Change, restock: Restock, end: End, settle: Settle, rebuild: Rebuild };

function Acts({ sale, role }) {
  const [open, setOpen] = useState(null);
  const [said, setSaid] = useState(null);
  const { busy, refusal, run } = useCall();
  const state = phase(sale);
  const over = ["ENDED", "SETTLED"].includes(state);
  const paused = sale.state === "PAUSED";
  const step = (name) => () => {
    setSaid(null);
    return run(async () => {
      await call("POST", `/admin/sales/${sale.productId}/${name}`);
      setSaid(`done_${name}`);
    });
  };
  const show = (name) => () => {
    setSaid(null);
    setOpen(name);
  };
  const Opened = DIALOGS[open];
  const close = (word) => {
    setOpen(null);
    if (typeof word === "string") {
      setSaid(word);
    }
  };
  return html`<div class="acts">
    <div class="buttons" role="group" aria-label=${say("acts")}>
      ${paused
        ? html`<${Act} role=${role} needs="operate" kind="main" disabled=${busy || over} onClick=${step("resume")}>${say("resume")}<//>`
        : html`<${Act} role=${role} needs="operate" kind="main" disabled=${busy || over} onClick=${step("pause")}>${say("pause")}<//>`}
      <${Act} role=${role} needs="operate" disabled=${over} onClick=${show("restock")}>${say("restock")}<//>
      <${Act} role=${role} needs="admin" disabled=${over} onClick=${show("change")}>${say("change")}<//>
      <${Act} role=${role} needs="admin" disabled=${state === "SETTLED"} onClick=${show("rebuild")}>${say("rebuild")}<//>
      ${over
        ? html`<${Act} role=${role} needs="admin" kind="main" disabled=${state === "SETTLED"} onClick=${show("settle")}>${say("settle")}<//>`
        : html`<${Act} role=${role} needs="admin" kind="danger" onClick=${show("end")}>${say("end")}<//>`}
    </div>
    ${!may(role, "admin") && html`<p class="quiet">${say(`roleMay_${role}`)}</p>`}
    <${Refused} refusal=${refusal} />
    <${Done}>${said && say(said)}<//>
    ${Opened && html`<${Opened} sale=${sale} onClose=${close} />`}
  </div>`;
}

export function Sale({ productId, role }) {
  const sale = saleOf(productId);
  // the stream does not follow the books of settled sales
  const settled = sale && phase(sale) === "SETTLED" && !sale.ledger;
  const kept = useReading(
    async () => (settled ? call("GET", `/admin/sales/${productId}/ledger`) : undefined),
    [settled],
  );
  if (!sale) {
    return html`<h1>#${productId}</h1>
      <${Empty}>${say(live.overview ? "unknownSale" : "asking")}<//>
      <a href="#/sales">${say("view_sales")}</a>`;
  }
  const events = live.happened.filter((event) => event.productId == null || event.productId === productId);
  const series = live.series.get(productId);
  const ledger = sale.ledger ?? kept.answer;
  const left = secondsLeft(sale);
  return html`
    <div class="title of-sale">
      <h1>${sale.name} <span class="quiet">#${productId}</span></h1>
      <${PhaseChip} sale=${sale} /> <span class="time">${countdownOf(sale)}</span>
    </div>
    <${Notices} of=${[...(sale.attention ?? []), ...(live.overview.attention ?? [])]} />
    <${Acts} sale=${sale} role=${role} />
    <${Equation} ledger=${ledger} settled=${phase(sale) === "SETTLED"} />
    <dl class="tiles card">
      <${Tile} title=${say("soldOf")}>${ledger ? `${number(ledger.sold)} / ${number(ledger.initial + ledger.restocked)}` : "–"}<//>
      <${Tile} title=${say("admittedNow")}>${rate(sale.perSecond?.admitted)}<//>
      <${Tile} title=${say("refusedNow")}>${rate(refused(sale))}<//>
      <${Tile} title=${say("throttledNow")}>${rate(throttled(sale))}<//>
      <${Tile} title=${say("soldOutIn")}>${left == null ? "–" : span(left * 1000)}<//>
    </dl>
    <div class="charts card">
      <${Chart}
        title=${say("perSecond")}
        series=${series}
        events=${events}
        lines=${[
          { column: "admitted", word: "admitted", color: "--series-a", fill: "--series-a-soft" },
          { column: "refused", word: "refused", color: "--series-b", dash: [6, 4] },
          { column: "throttled", word: "throttled", color: "--series-c", dash: [2, 3] },
        ]}
      />
      <${Chart}
        title=${say("available")}
        series=${series}
        events=${events}
        lines=${[{ column: "available", word: "available", color: "--series-a", fill: "--series-a-soft" }]}
      />
    </div>
    <div class="columns">
      <${Buyer} sale=${sale} />
      <${Reasons} sale=${sale} />
      <${Terms} sale=${sale} />
      <${Happened} events=${events} />
    </div>
    <${Flow} events=${events} />
    <${Nodes} />
  `;
}
