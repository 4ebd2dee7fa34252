// Series of the last minutes, with what happened marked on them.
import { html, useEffect, useRef } from "/console/ui.js";
import { clock, language, named, number, say } from "/console/words.js";

const { uPlot } = globalThis;
const HEIGHT = 180;
const LEAST_SECONDS = 60;
const DARK = matchMedia("(prefers-color-scheme: dark)");

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Lines where something happened, with its name. */
function marks(events) {
  return {
    hooks: {
      draw: (plot) => {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
        ctx.strokeStyle = ctx.fillStyle = color("--quiet");
        ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
        let row = 0;
        for (const event of events()) {
          const at = event.at / 1000;
          if (at < plot.scales.x.min || at > plot.scales.x.max) {
            continue;
          }
          const x = Math.round(plot.valToPos(at, "x", true));
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
          const text = named("event", event.kind);
          const room = bbox.left + bbox.width - x;
          ctx.textAlign = ctx.measureText(text).width > room - 8 ? "right" : "left";
          const side = ctx.textAlign === "left" ? 4 : -4;
          ctx.fillText(text, x + side * devicePixelRatio, bbox.top + (12 + 13 * (row++ % 4)) * devicePixelRatio);
        }
        ctx.restore();
      },
    },
  };
}

/**
 * @param lines the columns to draw: name of the column, word of its title, colour
 * @param events what happened, newest first
 */
export function Chart({ title, series, lines, events, unit = "" }) {
  const place = useRef(null);
  const plot = useRef(null);
  const happened = useRef(events);
  happened.current = events;
  const data = [series.t, ...lines.map((line) => series.columns[line.column] ?? series.t.map(() => null))];

  useEffect(() => {
    const make = () => {
      plot.current?.destroy();
      const axis = {
        stroke: color("--quiet"),
        grid: { stroke: color("--line"), width: 1 },
        ticks: { stroke: color("--line"), width: 1 },
        font: "11px system-ui, sans-serif",
      };
      plot.current = new uPlot(
        {
          width: place.current.clientWidth || 300,
          height: HEIGHT,
          legend: { show: false },
          cursor: { drag: { x: false, y: false } },
          scales: {
            x: { range: (_, low, high) => [Math.min(low ?? 0, (high ?? 0) - LEAST_SECONDS), high ?? 0] },
            y: { range: (_, low, high) => [0, Math.max(1, (high ?? 0) * 1.15)] },
          },
          axes: [
            { ...axis, values: (_, times) => times.map((t) => clock(t * 1000)), space: 90, size: 30 },
            { ...axis, values: (_, values) => values.map((value) => number(value, 1)), size: 52 },
          ],
          series: [
            {},
            ...lines.map((line) => ({
              label: line.column,
              stroke: color(line.color),
              fill: line.fill ? color(line.fill) : undefined,
              dash: line.dash,
              width: 2,
              points: { show: false },
            })),
          ],
          plugins: [marks(() => happened.current)],
        },
        data,
        place.current,
      );
    };
    make();
    const observer = new ResizeObserver(() =>
      plot.current.setSize({ width: place.current.clientWidth || 300, height: HEIGHT }),
    );
    observer.observe(place.current);
    DARK.addEventListener("change", make);
    return () => {
      observer.disconnect();
      DARK.removeEventListener("change", make);
      plot.current.destroy();
      plot.current = null;
    };
  }, [language()]);

  useEffect(() => plot.current?.setData(data));

  const last = (column) => series.columns[column]?.at(-1);
  const told = lines.map((line) => `${say(line.word)} ${number(last(line.column), 1)}${unit}`).join(", ");
  return html`<figure class="chart">
    <figcaption>
      <h3>${title}</h3>
      <ul class="legend">
        ${lines.map(
          (line) =>
            html`<li>
              <span class=${`swatch ${line.color.slice(2)}`} aria-hidden="true"></span>
              ${say(line.word)} <b>${number(last(line.column), 1)}${unit}</b>
            </li>`,
        )}
      </ul>
    </figcaption>
    <div ref=${place} role="img" aria-label=${`${title}: ${told}`}></div>
  </figure>`;
}
