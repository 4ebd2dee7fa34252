// The words of the console, its numbers and its times, in the reader's language.
import en from "/console/en.js";
import zh from "/console/zh.js";

const CHOICE = "seckill-language";
const dictionaries = { en, "zh-CN": zh };

let current = localStorage.getItem(CHOICE) || (navigator.language.startsWith("zh") ? "zh-CN" : "en");

export const language = () => current;

export function switchLanguage() {
  current = current === "en" ? "zh-CN" : "en";
  localStorage.setItem(CHOICE, current);
  document.documentElement.lang = current;
}

/** The sentence of a name, with {values} put in; the name itself when it has none. */
export function say(name, values = {}) {
  const sentence = dictionaries[current][name] ?? name;
  return sentence.replace(/{(\w+)}/g, (all, value) => values[value] ?? all);
}

/** The word for a code of the server's; the code itself when there is none. */
export const named = (kind, code) => (has(`${kind}_${code}`) ? say(`${kind}_${code}`) : code);

export const has = (name) => name in dictionaries[current];

export const number = (value, digits = 0) =>
  value == null
    ? "–"
    : new Intl.NumberFormat(current, { maximumFractionDigits: digits }).format(value);

/** A rate: small ones with a digit behind the point. */
export const rate = (value) => number(value, value != null && value < 10 ? 1 : 0);

const FULL = { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" };
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };

export const moment = (ms) =>
  ms == null ? "–" : new Intl.DateTimeFormat(current, FULL).format(new Date(ms));

export const clock = (ms) => new Intl.DateTimeFormat(current, CLOCK).format(new Date(ms));

/** Time of day with milliseconds. */
export const preciseClock = (ms) => `${clock(ms)}.${String(ms % 1000).padStart(3, "0")}`;

/** In UTC, as the calls have it. */
export const utc = (ms) => new Date(ms).toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC");

/** 1:02:03, or with days before it. */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86400);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return (days ? say("days", { days }) + " " : "") + parts.map(two).join(":");
}

/** A length of time in its largest fitting unit. */
export function span(ms) {
  if (ms == null) {
    return "–";
  }
  if (ms < 1000) {
    return `${number(ms)} ms`;
  }
  return ms < 120_000 ? `${number(ms / 1000, 1)} s` : countdown(ms);
}

/** A refusal in plain words. */
export function inWords(refusal) {
  const known = has(`code_${refusal.code}`) ? say(`code_${refusal.code}`, refusal.problem) : "";
  return known || refusal.message || refusal.code;
}
