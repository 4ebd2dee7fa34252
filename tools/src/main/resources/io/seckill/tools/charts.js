// Draws each chart that the page holds as JSON (see Chart.java) with uPlot, in the colours of the page.
for (const json of document.querySelectorAll('figure > script')) {
  draw(json.parentElement, JSON.parse(json.textContent));
}

function draw(figure, chart) {
  const css = getComputedStyle(document.documentElement);
  const soft = css.getPropertyValue('--soft'), line = css.getPropertyValue('--line');
  const text = value => value == null ? '–' : value.toLocaleString('en', {maximumFractionDigits: value < 10 ? 2 : 0}) + chart.unit;
  const named = chart.names.length > 0;
  const axis = {stroke: soft, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: '12px system-ui'};
  const data = [chart.x], series = [{label: named ? 'percentile' : 'time', value: (u, at) =>
    at == null ? '–' : named ? chart.names[at] : at.toFixed(1) + ' s'}];
  // the highest area is drawn first, and each lower one over it
  let below = chart.x.map(() => 0);
  const areas = chart.series.filter(one => one.stacked).map(one => {
    below = one.values.map((value, i) => value + below[i]);
    return {one, values: below};
  }).reverse();
  const lines = chart.series.filter(one => !one.stacked).map(one => ({one, values: one.values}));
  for (const {one, values} of [...areas, ...lines]) {
    data.push(values);
    series.push({label: one.name, stroke: one.colour, width: one.stacked ? 0 : 2, fill: one.stacked ? one.colour : undefined,
      points: {show: named}, paths: chart.steps ? uPlot.paths.stepped({align: 1}) : undefined,
      value: (u, value, of, at) => at == null ? '–' : text(one.values[at])});
  }
  const options = {
    width: figure.clientWidth, height: 260, series,
    scales: {x: {time: false, range: named ? [-0.3, chart.x.length - 0.7] : undefined},
      y: chart.logarithmic ? {distr: 3} : {range: (u, low, high) => [0, Math.max(1, high * 1.05)]}},
    axes: [
      {...axis, splits: named ? () => chart.x : undefined,
        values: (u, at) => at.map(x => named ? chart.names[x] ?? '' : x + ' s')},
      {...axis, size: 74, values: (u, at) => at.map(y => y == null ? '' : text(y))}],
    hooks: {draw: [u => marks(u, chart.marks, css.getPropertyValue('--ink'))]},
  };
  const plot = new uPlot(options, data, figure);
  addEventListener('resize', () => plot.setSize({width: figure.clientWidth, height: options.height}));
}

function marks(plot, all, colour) {
  const {ctx, bbox} = plot, pixel = devicePixelRatio || 1;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = pixel;
  ctx.setLineDash([3 * pixel, 3 * pixel]);
  ctx.textAlign = 'center';
  ctx.font = 11 * pixel + 'px system-ui';
  let free = 0;
  all.forEach((at, i) => {
    const x = plot.valToPos(at, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (x >= free) {
      ctx.fillText(i + 1, x, bbox.top - 4 * pixel);
      free = x + 15 * pixel;
    }
  });
  ctx.restore();
}
