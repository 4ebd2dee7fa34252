// What the stream told: the last overview, and the last minutes as series for the charts.
const KEPT_SECONDS = 600;
const RATE_OVER_SECONDS = 10;
const KEPT_EVENTS = 200;

export const live = {
  overview: null,
  sales: new Map(), // by product id
  settled: new Set(), // product ids, known by the event before the node reads the sale again
  connected: false,
  refusal: undefined, // why there is no stream
  ahead: 0, // the books' clock against this one, in ms
  happened: [], // newest first
  series: new Map(), // by product id
  flow: newSeries(),
};

function newSeries() {
  return { t: [], columns: {} };
}

function append(series, t, values) {
  series.t.push(t);
  for (const [name, value] of Object.entries(values)) {
    (series.columns[name] ??= Array(series.t.length - 1).fill(null)).push(value ?? null);
  }
  if (series.t.length > KEPT_SECONDS) {
    series.t.shift();
    Object.values(series.columns).forEach((column) => column.shift());
  }
}

/** The server's time, in ms. */
export const now = () => Date.now() + live.ahead;

/** A time in ms, whichever way the server wrote it; null for none. */
export const millis = (time) =>
  time == null ? null : typeof time === "number" ? time : Date.parse(time);

export const throttled = (sale) => sale.perSecond?.refused?.THROTTLED ?? 0;

/** Refused a second, without those who were throttled. */
export const refused = (sale) =>
  Object.entries(sale.perSecond?.refused ?? {})
    .filter(([code]) => code !== "THROTTLED")
    .reduce((sum, [, rate]) => sum + rate, 0);

/** Takes an overview: the first one of a connection has all sales, the others those that changed. */
export function takeOverview(overview) {
  live.overview = overview;
  live.ahead = overview.time - Date.now();
  const t = overview.time / 1000;
  if (overview.complete) {
    live.sales.clear();
  }
  overview.sales.forEach((sale) => live.sales.set(sale.productId, sale));
  for (const sale of live.sales.values()) {
    if (!live.series.has(sale.productId)) {
      live.series.set(sale.productId, newSeries());
    }
    append(live.series.get(sale.productId), t, {
      admitted: sale.perSecond?.admitted ?? 0,
      refused: refused(sale),
      throttled: throttled(sale),
      available: sale.ledger?.available,
    });
  }
  append(live.flow, t, {
    outbox: overview.flow?.outbox?.length,
    lag: overview.flow?.lag,
    p50: overview.flow?.latency?.p50Ms,
    p99: overview.flow?.latency?.p99Ms,
  });
  const known = new Set(live.happened.map((event) => event.id));
  const news = (overview.happened ?? []).filter((event) => !known.has(event.id));
  news.filter((event) => event.kind === "SETTLED").forEach((event) => live.settled.add(event.productId));
  live.happened = [...news.sort((a, b) => b.at - a.at), ...live.happened].slice(0, KEPT_EVENTS);
}

export function forget() {
  live.overview = null;
  live.sales.clear();
  live.settled.clear();
  live.connected = false;
  live.happened = [];
  live.series.clear();
  live.flow = newSeries();
}

export const saleOf = (productId) => live.sales.get(productId);

/** What the sale is for a buyer now, or SETTLED. */
export function phase(sale) {
  if (sale.settled || live.settled.has(sale.productId)) {
    return "SETTLED";
  }
  if (sale.state !== "OPEN" && sale.state !== "ON_SALE") {
    return sale.state;
  }
  const starts = millis(sale.startsAt);
  const ends = millis(sale.endsAt);
  if (starts && starts > now()) {
    return "SCHEDULED";
  }
  if (ends && ends <= now()) {
    return "OVER";
  }
  return sale.ledger?.available === 0 ? "SOLD_OUT" : "ON_SALE";
}

/** Seconds until the sale is sold out at the rate of the last seconds; null when it does not sell. */
export function secondsLeft(sale) {
  const admitted = live.series.get(sale.productId)?.columns.admitted ?? [];
  const recent = admitted.slice(-RATE_OVER_SECONDS);
  const rate = recent.reduce((sum, value) => sum + value, 0) / (recent.length || 1);
  const available = sale.ledger?.available;
  return phase(sale) === "ON_SALE" && available > 0 && rate > 0 ? available / rate : null;
}
