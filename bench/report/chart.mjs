// The ratios as bars on a scale of powers of two: left of the line in the middle is what was asked for.

const width = 860;
const rowHeight = 22;
const labelWidth = 420;
const left = labelWidth + 10;
const right = width - 60;
/** Beyond this, in powers of two, a bar ends in an arrow. */
const reach = 4;

export function chartOf(results) {
  const rows = results.flatMap(({ name, asked }) => asked.map((line) => ({ ...line, name }))).filter(hasRatio);
  const height = rows.length * rowHeight + 60;
  const middle = (left + right) / 2;
  const unit = (right - left) / 2 / reach;
  const bars = rows.map((row, index) => bar(row, 40 + index * rowHeight, middle, unit));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">
<title>Ratios of Holdfast to its peers</title>
<style>text{fill:#24292f}.met{fill:#2da44e}.missed{fill:#d4703f}line{stroke:#8c959f}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>
<text x="10" y="20">How far from the figure asked for, in powers of two</text>
<text x="${middle - 8}" y="20" text-anchor="end">← better</text><text x="${middle + 8}" y="20">worse →</text>
<line x1="${middle}" x2="${middle}" y1="28" y2="${height - 15}"/>
${bars.join("\n")}
</svg>
`;
}

/** A ratio of nothing, such as no lost edits, has no logarithm. */
function hasRatio({ ratio, most, least }) {
  return ratio > 0 && (most ?? least) > 0;
}

function bar({ name, text, ratio, most, least, isReached }, y, middle, unit) {
  const distance = most === undefined ? Math.log2(least / ratio) : Math.log2(ratio / most);
  const shown = Math.max(-reach, Math.min(reach, distance));
  const length = Math.max(1, Math.abs(shown) * unit);
  const x = shown < 0 ? middle - length : middle;
  const aim = most === undefined ? `≥ ${least}` : `≤ ${most}`;
  const valueX = shown < 0 ? x - 4 : x + length + 4;
  return [
    `<text x="${labelWidth}" y="${y + 12}" text-anchor="end">${escaped(`${name}: ${text}`.slice(0, 68))}</text>`,
    `<rect class="${isReached ? "met" : "missed"}" x="${x.toFixed(1)}" y="${y + 2}" width="${length.toFixed(1)}" height="13" rx="2"><title>${escaped(`${text}: ${ratio} (${aim})`)}</title></rect>`,
    `<text x="${valueX.toFixed(1)}" y="${y + 12}" text-anchor="${shown < 0 ? "end" : "start"}" font-size="10">${Number(ratio.toPrecision(2))}</text>`,
  ].join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
