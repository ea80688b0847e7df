// The browser for tests of the pages. Where none is found, vitest.config.ts leaves them out and `npm test` says so in its last lines.
export { findChromium } from "../../scripts/find-chromium.mjs";
