// The rates that judge a purchase before Redis is asked: limits of each node, and activities.
import { call } from "/console/api.js";
import { Done, Empty, Refused, html, may, useCall, useEffect, useReading, useState } from "/console/ui.js";
import { number, say } from "/console/words.js";

const LIMITS = ["address", "user", "product", "activity"];
const shown = (rate) => (rate === 0 ? say("noLimit") : number(rate));

function Limits({ role }) {
  const { answer, refusal } = useReading(() => call("GET", "/admin/limits"), []);
  const [values, setValues] = useState(null);
  const saving = useCall();
  const limits = saving.answer ?? answer;
  useEffect(() => {
    if (answer) {
      setValues(Object.fromEntries(LIMITS.map((name) => [name, answer[name] == null ? "" : String(answer[name])])));
    }
  }, [answer]);
  const submit = (event) => {
    event.preventDefault();
    const body = Object.fromEntries(
      LIMITS.filter((name) => values[name] !== "").map((name) => [name, Number(values[name])]),
    );
    saving.run(() => call("PUT", "/admin/limits", { body }));
  };
  return html`<form class="card form" onSubmit=${submit} aria-labelledby="limits-title">
    <h2 id="limits-title">${say("limits")}</h2>
    <p class="quiet">${say("limitsAre")}</p>
    <${Refused} refusal=${refusal} />
    ${values &&
    html`<div class="fields">
        ${LIMITS.map(
          (name) =>
            html`<label class="field">
              <span>${say(`limit_${name}`)}</span>
              <input
                name=${name}
                type="number"
                min="0"
                max="10000000"
                step="1"
                disabled=${!may(role, "operate")}
                value=${values[name]}
                onInput=${(event) => setValues({ ...values, [name]: event.target.value })}
              />
              <small class="quiet">${say("effective", { rate: shown(limits.effective[name]) })}</small>
            </label>`,
        )}
      </div>
      <div class="buttons">
        <button class="main" disabled=${saving.busy || !may(role, "operate")}>${say("save")}</button>
        ${!may(role, "operate") && html`<span class="quiet">${say("needsRole", { role: say("role_operate") })}</span>`}
      </div>`}
    <${Refused} refusal=${saving.refusal} />
    <${Done}>${saving.answer && say("done_limits")}<//>
  </form>`;
}

function Activities({ role }) {
  const [again, setAgain] = useState(0);
  const [id, setId] = useState("");
  const [rate, setRate] = useState("");
  const { answer, refusal } = useReading(() => call("GET", "/admin/activities"), [again]);
  const saving = useCall();
  const submit = (event) => {
    event.preventDefault();
    saving.run(async () => {
      const body = { ratePerSecond: rate === "" ? null : Number(rate) };
      const activity = await call("PUT", `/admin/activities/${Number(id)}`, { body });
      setAgain(again + 1);
      return activity;
    });
  };
  const activities = answer?.activities ?? [];
  return html`<form class="card form table" onSubmit=${submit} aria-labelledby="activities-title">
    <h2 id="activities-title">${say("activities")}</h2>
    <p class="quiet">${say("activitiesAre")}</p>
    <${Refused} refusal=${refusal} />
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">${say("activityId")}</th>
          <th scope="col" class="n">${say("setRate")}</th>
          <th scope="col" class="n">${say("effectiveRate")}</th>
          <th scope="col" class="n">${say("view_sales")}</th>
        </tr>
      </thead>
      <tbody>
        ${activities.map(
          (activity) =>
            html`<tr key=${activity.activityId}>
              <th scope="row">${activity.activityId}</th>
              <td class="n" data-title=${say("setRate")}>${number(activity.ratePerSecond)}</td>
              <td class="n" data-title=${say("effectiveRate")}>${shown(activity.effective)}</td>
              <td class="n" data-title=${say("view_sales")}>${number(activity.sales)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${answer && !activities.length && html`<${Empty}>${say("noActivities")}<//>`}
    ${may(role, "operate") &&
    html`<div class="fields">
        <label class="field">
          <span>${say("activityId")}</span>
          <input name="activityId" type="number" min="1" step="1" required value=${id} onInput=${(event) => setId(event.target.value)} />
        </label>
        <label class="field">
          <span>${say("ratePerSecond")}</span>
          <input name="activityRate" type="number" min="1" max="10000000" step="1" value=${rate} onInput=${(event) => setRate(event.target.value)} />
          <small class="quiet">${say("emptyIsDefault")}</small>
        </label>
      </div>
      <div class="buttons"><button class="main" disabled=${saving.busy}>${say("save")}</button></div>`}
    <${Refused} refusal=${saving.refusal} />
    <${Done}>${saving.answer && say("done_activity", { activityId: saving.answer.activityId })}<//>
  </form>`;
}

export function Rates({ role }) {
  return html`<div class="title"><h1>${say("view_rates")}</h1></div>
    <div class="columns">
      <${Limits} role=${role} />
      <${Activities} role=${role} />
    </div>`;
}
