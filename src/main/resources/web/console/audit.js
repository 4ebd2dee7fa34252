// Who did what, when, from where, and what it changed.
import { call } from "/console/api.js";
import { millis } from "/console/live.js";
import { Changes, Empty, Facts, Refused, html, useEffect, useState } from "/console/ui.js";
import { moment, named, say } from "/console/words.js";

const PAGE = 50;

export function Audit() {
  const [productId, setProductId] = useState("");
  const [asked, setAsked] = useState({ productId: "", before: null, again: 0 });
  const [entries, setEntries] = useState(null);
  const [next, setNext] = useState(null);
  const [refusal, setRefusal] = useState(null);
  useEffect(() => {
    let left = false;
    const query = new URLSearchParams({ limit: PAGE });
    if (asked.productId) {
      query.set("productId", asked.productId);
    }
    if (asked.before != null) {
      query.set("before", asked.before);
    }
    call("GET", `/admin/audit?${query}`).then(
      (page) => {
        if (!left) {
          setRefusal(null);
          setEntries((before) => (asked.before == null ? page.entries : [...before, ...page.entries]));
          setNext(page.next ?? null);
        }
      },
      (failure) => left || setRefusal(failure),
    );
    return () => {
      left = true;
    };
  }, [asked]);
  const submit = (event) => {
    event.preventDefault();
    setAsked({ productId: productId.trim(), before: null, again: asked.again + 1 });
  };
  return html`
    <div class="title">
      <h1>${say("view_audit")}</h1>
      <form class="buttons" onSubmit=${submit}>
        <input
          name="auditProduct"
          inputmode="numeric"
          pattern="[1-9][0-9]*"
          aria-label=${say("productId")}
          placeholder=${say("productId")}
          value=${productId}
          onInput=${(event) => setProductId(event.target.value)}
        />
        <button>${say("refresh")}</button>
      </form>
    </div>
    <${Refused} refusal=${refusal} />
    <div class="card table">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">${say("when")}</th>
            <th scope="col">${say("action")}</th>
            <th scope="col">${say("who")}</th>
            <th scope="col">${say("product")}</th>
            <th scope="col">${say("asked")}</th>
            <th scope="col">${say("changed")}</th>
          </tr>
        </thead>
        <tbody>
          ${(entries ?? []).map(
            (entry) =>
              html`<tr key=${entry.id}>
                <td data-title=${say("when")}>${moment(millis(entry.at))}</td>
                <th scope="row">${named("action", entry.action)}</th>
                <td data-title=${say("who")}>${entry.by ?? say("byItself")} <span class="quiet">${entry.from ?? ""}</span></td>
                <td data-title=${say("product")}>${entry.productId ? html`<a href=${`#/sales/${entry.productId}`}>${entry.productId}</a>` : entry.deadLetterId ? say("letterNumber", { id: entry.deadLetterId }) : "–"}</td>
                <td data-title=${say("asked")}><${Facts} of=${entry.detail} /></td>
                <td data-title=${say("changed")}><${Changes} before=${entry.before} after=${entry.after} /></td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${entries && !entries.length && html`<${Empty}>${say("noAudit")}<//>`}
    </div>
    ${next != null && html`<button type="button" onClick=${() => setAsked({ ...asked, before: next })}>${say("more")}</button>`}
  `;
}
