// The look of pages with sessions: the site's design tokens (site/src/styles/tokens.css), its
// fonts, and styles that all such pages share. Each module adds its own styles.

export const theme = `@font-face{font-family:Inter;src:url(/assets/inter.woff2) format('woff2');font-weight:100 900;font-display:swap}
@font-face{font-family:Newsreader;src:url(/assets/newsreader.woff2) format('woff2');font-weight:200 800;font-display:swap}
@font-face{font-family:'JetBrains Mono';src:url(/assets/jetbrains-mono.woff2) format('woff2');font-weight:100 800;font-display:swap}
@font-face{font-family:'Inter Fallback';src:local('Arial'),local('Liberation Sans');size-adjust:106.3%;ascent-override:91.1%;descent-override:22.7%;line-gap-override:0%}
@font-face{font-family:'Newsreader Fallback';src:local('Times New Roman'),local('Liberation Serif');size-adjust:112.3%;ascent-override:65.5%;descent-override:23.6%;line-gap-override:0%}
@font-face{font-family:'JetBrains Mono Fallback';src:local('Courier New'),local('Liberation Mono');size-adjust:100%;ascent-override:102%;descent-override:30%;line-gap-override:0%}

:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf6, #12150f);
  --raised: light-dark(#ffffff, #1a1e17);
  --ink: light-dark(#1b1f1a, #ecede6);
  --quiet: light-dark(#5c6459, #a3aa9d);
  --hairline: light-dark(#dedcd2, #2e342b);
  --line: light-dark(#8b9186, #737b6d);
  --brand: light-dark(#1f5b41, #7cc49b);
  --brand-quiet: light-dark(#e4efe7, #1f3428);
  --on-brand: light-dark(#ffffff, #0f1d15);
  --signal: light-dark(#b4570f, #f0a35e);
  --danger: light-dark(#a32020, #f08a8a);
  --display: 'Newsreader', 'Newsreader Fallback', Georgia, serif;
  --text: 'Inter', 'Inter Fallback', system-ui, sans-serif;
  --mono: 'JetBrains Mono', 'JetBrains Mono Fallback', ui-monospace, monospace;
  --ratio: 1.2;
  --size-small: 0.875rem;
  --size-0: 1rem;
  --size-1: calc(var(--size-0) * var(--ratio));
  --size-2: calc(var(--size-1) * var(--ratio));
  --size-3: calc(var(--size-2) * var(--ratio));
  --size-4: calc(var(--size-3) * var(--ratio));
  --radius: 3px;
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
@media (min-width: 60rem) { :root { --ratio: 1.25; } }

*, ::before, ::after { box-sizing: border-box; }
html {
  background: var(--paper);
  color: var(--ink);
  font-family: var(--text);
  line-height: 1.6;
  -webkit-text-size-adjust: 100%;
  font-optical-sizing: auto;
  text-rendering: optimizeLegibility;
}
body, h1, h2, h3, p, ul, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; }
ul { list-style: none; }
h1, h2 { font-family: var(--display); font-weight: 500; line-height: 1.15; letter-spacing: -0.012em; word-spacing: 0.06em; text-wrap: balance; }
h1 { font-size: var(--size-4); line-height: 1.1; letter-spacing: -0.018em; }
h2 { font-size: var(--size-2); }
p { text-wrap: pretty; }
a { color: var(--brand); text-decoration-thickness: 1px; text-underline-offset: 0.2em; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; border-radius: 2px; }
code, pre, .code { font-family: var(--mono); }
code, pre, .code, .id, .codes, input.digits, h1 .address { font-variant-ligatures: none; }
time { font-variant-numeric: tabular-nums; }

.site-notice { padding: 0.25rem 1rem; background: var(--signal); color: var(--paper); font-size: var(--size-small); font-weight: 600; text-align: center; text-wrap: balance; }

.lead { color: var(--quiet); font-size: 1.0625rem; }
h1 + .lead { margin-top: 0.75rem; }
.fine { font-size: var(--size-small); color: var(--quiet); }

form { display: grid; gap: 1.25rem; }
.inline { display: inline; }
.field { display: grid; gap: 0.375rem; }
.field label, legend { font-weight: 550; }
.hint { font-size: var(--size-small); color: var(--quiet); }
input:not([type=radio]) {
  width: 100%;
  font: inherit;
  color: var(--ink);
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  padding: 0.625rem 0.75rem;
  min-height: 2.875rem;
}
input[readonly] { color: var(--quiet); background: transparent; border-color: var(--hairline); }
input.digits { max-width: 12rem; font-family: var(--mono); font-size: 1.375rem; letter-spacing: 0.14em; font-variant-numeric: tabular-nums; }
input.letters { max-width: 17rem; text-transform: uppercase; }
input::placeholder { color: var(--quiet); opacity: 1; }
[aria-invalid=true] { border: 2px solid var(--danger) !important; }
.fault { color: var(--danger); font-size: var(--size-small); font-weight: 550; }
.alert { border-left: 3px solid var(--danger); padding: 0.25rem 0 0.25rem 1rem; font-weight: 550; }
.note { border-left: 3px solid var(--signal); padding: 0.25rem 0 0.25rem 1rem; }

.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  font: inherit;
  font-weight: 550;
  line-height: 1.5;
  text-align: center;
  min-height: 2.875rem;
  padding: 0.625rem 1.5rem;
  color: var(--on-brand);
  background: var(--brand);
  border: 1px solid var(--brand);
  border-radius: var(--radius);
  text-decoration: none;
  cursor: pointer;
  transition: background-color 140ms;
}
.button:hover { background: color-mix(in srgb, var(--brand) 86%, var(--ink)); }
.button.second { color: var(--ink); background: var(--raised); border-color: var(--line); }
.button.second:hover { border-color: var(--ink); }
.button.small { min-height: 2.75rem; padding: 0.5rem 1rem; font-size: var(--size-small); }
.button:disabled { color: var(--quiet); background: transparent; border: 1px dashed var(--line); cursor: not-allowed; }
.link { font: inherit; color: var(--brand); background: none; border: 0; padding: 0; min-height: 2.75rem; cursor: pointer; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
.who .link { color: var(--ink); }
.actions { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.75rem; }
@media (max-width: 26rem) { .actions .button { flex: 1 1 100%; } }

@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`
