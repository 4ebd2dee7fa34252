// Sends a crowd: each of its buyers makes the same calls as the button, under an id of its own.
import { buy, newKey, product, randomUser } from "/demo/shop.js";
import { say } from "/demo/words.js";

const AT_ONCE = 100;
const MOST = 2000;

const $ = (id) => document.getElementById(id);
let tally = new Map();

function show(done, size) {
  $("progress").hidden = $("tally").hidden = size === 0;
  $("progress").max = size;
  $("progress").value = done;
  $("progress").textContent = `${done} / ${size}`;
  $("tally").tBodies[0].replaceChildren(
    ...[...tally].map(([outcome, count]) => {
      const row = document.createElement("tr");
      row.insertCell().textContent = say(`tally_${outcome}`, { detail: outcome });
      row.insertCell().textContent = count;
      row.dataset.outcome = outcome;
      return row;
    }),
  );
}

async function send(size) {
  tally = new Map();
  const first = randomUser();
  const began = performance.now();
  let sent = 0;
  let done = 0;
  // each of these lanes sends one buyer after the other
  const lane = async () => {
    while (sent < size) {
      const buyer = first + sent++;
      const outcome = await buy(buyer, newKey(), () => {});
      tally.set(outcome.status, (tally.get(outcome.status) ?? 0) + 1);
      done++;
    }
  };
  const painter = setInterval(() => show(done, size), 100);
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, size) }, lane));
  clearInterval(painter);
  show(done, size);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  $("crowd-result").textContent = say("crowdDone", { size, seconds, product });
}

$("crowd").onsubmit = async (event) => {
  event.preventDefault();
  $("send").disabled = true;
  $("crowd-result").textContent = "";
  await send(Math.min(MOST, Math.max(1, Number($("size").value))));
  $("send").disabled = false;
};
