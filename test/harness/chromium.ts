// The browser for tests of the pages. Where none is found, these tests are skipped and `npm test` says so in its last lines.
export { findChromium } from "../../scripts/find-chromium.mjs";
