/** Colours and the plain elements of every page for people: one look, light and dark, without an asset to load. */
export const theme = `
:root { color-scheme: light dark; --ink: #1d2127; --dim: #57606b; --paper: #fbfbf9; --card: #f0f0ec; --line: #d9d9d2; --edge: #82888f; --accent: #0b6b58; --warn: #8f3411; --warn-card: #fdf1e4; --bad: #a3182a; --bad-card: #fdeced; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ec; --dim: #a0a9b5; --paper: #14171b; --card: #1e2228; --line: #333a43; --edge: #7a838f; --accent: #5fd0b5; --warn: #ffb77c; --warn-card: #2b2018; --bad: #ff9aa2; --bad-card: #301c20; } }
* { box-sizing: border-box; }
html { accent-color: var(--accent); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
p { margin: 0.6rem 0; }
a { color: var(--accent); }
code, pre { font: 0.9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
button { padding: 0.65rem 1.1rem; font: inherit; font-weight: 600; color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: 0.5rem; cursor: pointer; }
button.primary { color: var(--paper); background: var(--accent); border-color: var(--accent); }
:focus-visible { outline: 0.2rem solid var(--accent); outline-offset: 0.15rem; }
.dim { color: var(--dim); }
`;
