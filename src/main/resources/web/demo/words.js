// The words of the page, in the buyer's language.
import en from "/demo/en.js";
import zh from "/demo/zh.js";

const CHOICE = "seckill-language";
const dictionaries = { en, "zh-CN": zh };

let current =
  localStorage.getItem(CHOICE) || (navigator.language.startsWith("zh") ? "zh-CN" : "en");

export const language = () => current;

/** The sentence of a name, with {values} put in; a name without a sentence is shown as it is. */
export function say(name, values = {}) {
  const sentence = dictionaries[current][name] ?? values.detail ?? name;
  return sentence.replace(/{(\w+)}/g, (all, value) => values[value] ?? all);
}

/** Fills in the words of the document. */
export function fill() {
  document.documentElement.lang = current;
  document.title = say("shop");
  document.querySelectorAll("[data-word]").forEach((element) => {
    element.textContent = say(element.dataset.word);
  });
}

export function switchLanguage() {
  current = current === "en" ? "zh-CN" : "en";
  localStorage.setItem(CHOICE, current);
  fill();
}

/** 1:02:03, or with days before it. */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return (days ? say("days", { days }) + " " : "") + clock.map(two).join(":");
}
