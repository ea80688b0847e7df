// One workload in this program: runs it and writes what it found.
import { writeResult } from "./harness/result.mjs";

const name = process.argv[2];
const { run } = await import(`./workloads/${name}.mjs`);
writeResult(name, await run());
process.exit(0);
