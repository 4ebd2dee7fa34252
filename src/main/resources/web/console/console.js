// The console: who looks, what the stream tells, and which view is open.
import { call, signIn, signOut, watch } from "/console/api.js";
import { Audit } from "/console/audit.js";
import { Letters } from "/console/letters.js";
import { forget, live, now, takeOverview } from "/console/live.js";
import { Orders } from "/console/orders.js";
import { Rates } from "/console/rates.js";
import { Sale } from "/console/sale.js";
import { NewSale, Sales } from "/console/sales.js";
import { Chip, Refused, html, render, useCall, useEffect, useState } from "/console/ui.js";
import { clock, language, number, say, switchLanguage } from "/console/words.js";

const VIEWS = [
  ["sales", Sales],
  ["letters", Letters],
  ["rates", Rates],
  ["orders", Orders],
  ["audit", Audit],
];

const route = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);

function useRoute() {
  const [parts, setParts] = useState(route());
  useEffect(() => {
    const change = () => setParts(route());
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return parts;
}

/** Draws again with each overview, and once a second for the countdowns. */
function useLive(me) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!me) {
      return undefined;
    }
    const again = () => draw((count) => count + 1);
    const stop = watch(
      (overview) => {
        takeOverview(overview);
        again();
      },
      (connected, refusal) => {
        if (connected !== live.connected || refusal !== live.refusal) {
          live.connected = connected;
          live.refusal = refusal;
          again();
        }
      },
    );
    const ticking = setInterval(again, 1000);
    return () => {
      stop();
      clearInterval(ticking);
      forget();
    };
  }, [me]);
}

function Language({ onChange }) {
  return html`<button
    type="button"
    lang=${language() === "en" ? "zh-CN" : "en"}
    onClick=${() => {
      switchLanguage();
      onChange();
    }}
  >
    ${say("otherLanguage")}
  </button>`;
}

function SignIn({ onSignedIn, turnedAway, onLanguage }) {
  const [token, setToken] = useState("");
  const { busy, refusal, run } = useCall();
  const submit = (event) => {
    event.preventDefault();
    run(async () => {
      signIn(token.trim(), () => {});
      onSignedIn(await call("GET", "/admin/me"));
    });
  };
  return html`<main class="sign-in">
    <form class="card" onSubmit=${submit}>
      <h1>${say("console")}</h1>
      <p class="quiet">${say("tokenIs")}</p>
      <label class="field">
        <span>${say("token")}</span>
        <input
          name="token"
          type="password"
          autocomplete="off"
          required
          value=${token}
          onInput=${(event) => setToken(event.target.value)}
        />
      </label>
      <div class="buttons">
        <button class="main" disabled=${busy}>${say("signIn")}</button>
        <${Language} onChange=${onLanguage} />
      </div>
      <${Refused} refusal=${refusal ?? turnedAway} />
    </form>
  </main>`;
}

function Head({ me, open, onLeave, onLanguage }) {
  const parked = live.overview?.flow?.deadLetters?.parked ?? 0;
  return html`<header>
    <a class="brand" href="#/sales"><img src="/web/common/icon.svg" alt="" /> ${say("console")}</a>
    <nav aria-label=${say("views")}>
      ${VIEWS.map(
        ([name]) =>
          html`<a href=${`#/${name}`} aria-current=${name === open ? "page" : undefined}>
            ${say(`view_${name}`)}${name === "letters" && parked > 0 && html` <span class="count">${number(parked)}</span>`}
          </a>`,
      )}
    </nav>
    <div class="who">
      <span class="time" title=${say("serverTime")}>${live.overview && clock(now())}</span>
      <${Chip} kind=${live.connected ? "good" : "bad"}>${say(live.connected ? "live" : "connecting")}<//>
      <span>${me.name} <span class="quiet">${say(`role_${me.role}`)}</span></span>
      <${Language} onChange=${onLanguage} />
      <button type="button" onClick=${onLeave}>${say("leave")}</button>
    </div>
  </header>`;
}

function Console() {
  const [me, setMe] = useState(null);
  const [turnedAway, setTurnedAway] = useState(null);
  const [, draw] = useState(0);
  const [open = "sales", id] = useRoute();
  useLive(me);
  useEffect(() => {
    document.documentElement.lang = language();
    document.title = say("console");
  });
  const onLanguage = () => draw((count) => count + 1);
  const leave = (refusal) => {
    signOut();
    setMe(null);
    setTurnedAway(refusal ?? null);
  };
  if (!me) {
    const signedIn = (answer) => {
      setTurnedAway(null);
      setMe(answer);
    };
    return html`<${SignIn} ...${{ turnedAway, onLanguage }} onSignedIn=${signedIn} />`;
  }
  const View = VIEWS.find(([name]) => name === open)?.[1] ?? Sales;
  const view =
    open === "sales" && id === "new"
      ? html`<${NewSale} role=${me.role} />`
      : open === "sales" && id
        ? html`<${Sale} key=${id} productId=${Number(id)} role=${me.role} />`
        : html`<${View} role=${me.role} argument=${id} />`;
  return html`
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault();
      document.getElementById("main").focus();
    }}>${say("skip")}</a>
    <${Head} me=${me} open=${open} onLeave=${() => leave()} onLanguage=${onLanguage} />
    <main id="main" tabindex="-1">
      <${Refused} refusal=${live.refusal} />
      ${view}
    </main>
  `;
}

render(html`<${Console} />`, document.getElementById("console"));
