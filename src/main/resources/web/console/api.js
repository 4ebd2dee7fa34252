// The documented calls below /admin, and their stream of events. The token lives here, in the
// page's memory alone: closing or reloading the page forgets it.
let token = null;
let turnedAway = () => {};

/** A call that was refused or got no answer; code is that of the problem document. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.code);
    this.status = status;
    this.code = problem.code;
    this.problem = problem;
  }
}

export function signIn(newToken, whenTurnedAway) {
  token = newToken;
  turnedAway = whenTurnedAway;
}

export function signOut() {
  token = null;
}

async function ask(method, path, { body, headers = {}, signal } = {}) {
  const sent = { ...headers, Authorization: `Bearer ${token}` };
  if (body !== undefined) {
    sent["Content-Type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  }
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (failure) {
    throw new Refusal(0, { code: signal?.aborted ? "LEFT" : "UNREACHABLE", detail: failure.message });
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({ code: `HTTP_${response.status}` }));
    const refusal = new Refusal(response.status, problem);
    if (response.status === 401) {
      turnedAway(refusal);
    }
    throw refusal;
  }
  return response;
}

/** Makes a call and returns its JSON; throws a Refusal. */
export async function call(method, path, options) {
  return (await ask(method, path, options)).json();
}

/** A key for one filled form: sent twice, it counts once. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a buyer is told of a sale now; null where buyers are served at another address. */
export async function asBuyer(productId) {
  try {
    const response = await fetch(`/seckill/${productId}`, { cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const SILENCE_MS = 5_000;
const AGAIN_MS = 1_000;

/**
 * Reads the stream until stopped, and connects again when it breaks or falls silent.
 *
 * @param onOverview takes each overview
 * @param onConnected takes whether there is a connection, and the refusal if the stream was refused
 * @returns a function that stops it
 */
export function watch(onOverview, onConnected) {
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      const broken = new AbortController();
      let refusal;
      const give = () => broken.abort();
      stopped.signal.addEventListener("abort", give);
      let silence = setTimeout(give, SILENCE_MS);
      try {
        const response = await ask("GET", "/admin/events", { signal: broken.signal });
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let text = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            break;
          }
          clearTimeout(silence);
          silence = setTimeout(give, SILENCE_MS);
          text += value;
          const events = text.split("\n\n");
          text = events.pop();
          for (const event of events) {
            take(event, onOverview, onConnected);
          }
        }
      } catch (failure) {
        if (failure.status === 401) {
          return;
        }
        refusal = failure.status ? failure : undefined;
      }
      clearTimeout(silence);
      stopped.signal.removeEventListener("abort", give);
      if (!stopped.signal.aborted) {
        onConnected(false, refusal);
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
  };
  run();
  return () => stopped.abort();
}

function take(event, onOverview, onConnected) {
  const lines = event.split("\n");
  const kind = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
  const data = lines
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5))
    .join("\n");
  onConnected(true);
  if (kind === "overview") {
    onOverview(JSON.parse(data));
  }
}
