// A product page of a flash sale, in plain JavaScript: what a front end of yours does, too.
//
// Three rules make it safe to lose any answer:
//   1. Make one Idempotency-Key for what the buyer wants, and keep it until the outcome is known.
//   2. After an answer that was lost, a 503 or a 429, ask again with the same key. The gateway
//      reserves once for a key, however often it is asked, and always gives it the same answer.
//   3. Go by the server's time, never by the buyer's clock.
import { countdown, fill, language, say, switchLanguage } from "/demo/words.js";

const $ = (id) => document.getElementById(id);
const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

export const product = Number(new URLSearchParams(location.search).get("product")) || 1001;

/** Kept until the tab is closed, so that a reload goes on where the page was. */
const kept = {
  read: (name) => sessionStorage.getItem(`${name}-${product}`),
  write: (name, value) => sessionStorage.setItem(`${name}-${product}`, value),
  forget: (name) => sessionStorage.removeItem(`${name}-${product}`),
};

/** A random key: 128 bits, so that nobody else has the same one. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const randomUser = () => crypto.getRandomValues(new Uint32Array(1))[0] + 1;

// In this shop a buyer is who he says he is. In yours, the gateway in front sets X-User-Id from
// the login, or the page sends the buyer's token (seckill.identity=jwt).
let user = Number(kept.read("user")) || randomUser();
kept.write("user", user);

/** One request. A network error becomes status 0: the answer is lost, whatever happened there. */
export async function ask(method, path, headers) {
  try {
    const response = await fetch(path, { method, headers, signal: AbortSignal.timeout(10_000) });
    const body = await response.json();
    return { status: response.status, body, retryAfter: Number(response.headers.get("Retry-After")) || 1 };
  } catch {
    return { status: 0, body: {}, retryAfter: 1 };
  }
}

/**
 * Buys one unit under a key and returns the outcome: the status of the order, or the code of the
 * refusal. Tells what it is doing by tell(word, values).
 */
export async function buy(buyer, key, tell) {
  const headers = { "X-User-Id": String(buyer), "Idempotency-Key": key };
  for (;;) {
    const { status, body, retryAfter } = await ask("POST", `/seckill/${product}`, headers);
    if (status === 200) {
      return body; // this key was asked before, and this is its outcome
    }
    if (status === 202) {
      return follow(buyer, key, tell); // reserved: the order is being written
    }
    if (status === 409 && body.code === "FAIL_DUPLICATE") {
      return { ...body, status: "FAIL_DUPLICATE" }; // with the key of the purchase there is
    }
    if (status === 0 || status === 503 || status === 429) {
      // 503 is no refusal: a unit may be reserved. The same key finds it, and never takes a second.
      const word = status === 0 ? "lost" : status === 429 ? "THROTTLED" : "busy";
      for (let left = retryAfter; left > 0; left--) {
        tell(word, { seconds: left });
        await wait(1);
      }
      continue;
    }
    return { ...body, status: body.code }; // refused, and nothing is reserved
  }
}

/** Waits for the result. The answer comes when the order has ended, and then never changes. */
async function follow(buyer, key, tell) {
  tell("PENDING", {});
  const path = `/seckill/result?idemKey=${key}&productId=${product}&wait=8`;
  for (;;) {
    const { status, body, retryAfter } = await ask("GET", path, { "X-User-Id": String(buyer) });
    if (status === 200 && body.status !== "PENDING") {
      return body;
    }
    await wait(retryAfter); // it takes long, the answer was lost, or too many wait
  }
}

/** Presses the button, or goes on after a reload, with the key that is kept. */
async function press() {
  const key = kept.read("key") || newKey();
  kept.write("key", key);
  buying = true;
  show();
  const outcome = await buy(user, key, (word, values) => tell(word, values));
  buying = false;
  if (outcome.status !== "SUCCESS") {
    kept.forget("key"); // the next press is a new wish
  }
  tell(outcome.status, outcome);
  show();
}

let buying = false;
let sale; // as the server last told it
let ahead = 0; // how far the server's clock is ahead of this one, in ms
let told = () => "";

/** Shows a sentence, again after a change of language. */
function tell(word, values) {
  told = () => (word ? say(word, values) : "");
  $("result").textContent = told();
  $("result").className = word === "SUCCESS" ? "good" : word?.startsWith("FAIL") ? "bad" : "";
}

/** The sale's name, phase and window, which all buyers may ask for. */
async function refresh() {
  const { status, body } = await ask("GET", `/seckill/${product}`, {});
  if (status === 200) {
    sale = body;
    ahead = Date.parse(body.serverTime) - Date.now();
  } else if (status === 404) {
    sale = null; // there is no such sale (yet)
  }
  show();
}

function show() {
  $("product").textContent = product;
  $("buyer").textContent = user;
  const now = Date.now() + ahead;
  // between two questions the page's own countdown opens the sale
  const begun = sale?.state === "SCHEDULED" && Date.parse(sale.startsAt) <= now;
  const state = begun ? "ON_SALE" : sale ? sale.state : sale === null ? "NO_SALE" : "asking";
  $("name").textContent = sale ? sale.name : say(state);
  $("state").textContent = say(state);
  $("state").className = `chip ${state}`;
  $("countdown").textContent = !sale
    ? say(sale === null ? "createOne" : "", { product })
    : state === "SCHEDULED"
      ? say("startsIn", { time: countdown(Date.parse(sale.startsAt) - now) })
      : state === "ON_SALE" && sale.endsAt
        ? say("endsIn", { time: countdown(Date.parse(sale.endsAt) - now) })
        : "";
  // the server decides; the button only saves a buyer from asking in vain
  $("buy").disabled = buying || !["ON_SALE", "PAUSED", "SOLD_OUT"].includes(state);
}

$("buy").onclick = press;
$("other").onclick = () => {
  user = randomUser();
  kept.write("user", user);
  kept.forget("key");
  tell("");
  show();
};
$("language").onclick = () => {
  switchLanguage();
  $("result").textContent = told();
  show();
};

fill();
document.documentElement.lang = language();
setInterval(show, 250);
setInterval(refresh, 2000);
refresh();
if (kept.read("key")) {
  press();
}
