// The results as Markdown: what was asked for in short, and every figure in full.

export function tableOf(results) {
  const where = [...new Set(results.map(({ machine }) => described(machine)))].join(", and on ");
  const busiest = Math.max(...results.map((result) => result.machine.loadBefore ?? 0));
  const shared = busiest > 1 ? ` Other work ran on the machine at the time (load up to ${busiest.toFixed(1)}).` : "";
  const short = [
    "![Ratios of Holdfast to its peers](docs/bench/ratios.svg)",
    "",
    "| workload | compared | ratio | asked | |",
    "| --- | --- | ---: | ---: | --- |",
    ...results.flatMap(({ name, asked }) => asked.map((line) => askedRow(name, line))),
    "",
    `Measured on ${where}.${shared} Rerun: \`npm run bench\`, or \`npm run bench -- read grep\` for some; then \`npm run bench:report\`.`,
    "Every figure, with its spread: [docs/bench](docs/bench/README.md).",
  ].join("\n");
  const full = [
    "# Benchmarks",
    "",
    `Made by \`npm run bench:report\` from bench/results. Measured on ${where}.${shared}`,
  ]
    .concat(["", "![Ratios](ratios.svg)"])
    .concat(results.flatMap(section))
    .join("\n");
  return { short, full: `${full}\n` };
}

/** Results may come from several machines; each section names its own. */
function described({ cores, processor, memoryGiB, system, node, workerd }) {
  return `${cores} cores (${processor}), ${memoryGiB} GiB, ${system}, Node ${node}, workerd ${workerd}`;
}

function askedRow(name, { text, ratio, most, least, isReached }) {
  const aim = most === undefined ? `≥ ${least}` : `≤ ${most}`;
  return `| ${name} | ${text} | ${Number(ratio.toPrecision(3))} | ${aim} | ${isReached ? "reached" : "missed"} |`;
}

function section({ name, title, date, figures, asked, notes, machine }) {
  return [
    "",
    `## ${name}: ${title}`,
    "",
    "| | median | least | most | |",
    "| --- | ---: | ---: | ---: | --- |",
    ...Object.entries(figures).map(figureRow),
    "",
    "| compared | ratio | asked | |",
    "| --- | ---: | ---: | --- |",
    ...asked.map((line) => askedRow(name, line).replace(`| ${name} `, "")),
    "",
    ...[...notes, `${date}, commit ${machine.commit}, ${machine.processor}, load before ${machine.loadBefore}.`].map(
      (note) => `- ${note}`,
    ),
  ];
}

function figureRow([label, figure]) {
  if (figure.median === undefined) {
    const said = Object.entries(figure).map(([key, value]) => `${key} ${value}`);
    return `| ${label} | ${said.join(", ")} | | | |`;
  }
  const { median, least, most, unit } = figure;
  return `| ${label} | ${median} | ${least} | ${most} | ${unit} |`;
}
