// The stylesheet of the pages, with the tokens of the site (site/src/styles/tokens.css).
export const style = `@font-face{font-family:Inter;src:url(/assets/inter.woff2) format('woff2');font-weight:100 900;font-display:swap}
@font-face{font-family:Newsreader;src:url(/assets/newsreader.woff2) format('woff2');font-weight:200 800;font-display:swap}
@font-face{font-family:'JetBrains Mono';src:url(/assets/jetbrains-mono.woff2) format('woff2');font-weight:100 800;font-display:swap}
@font-face{font-family:'Inter Fallback';src:local('Arial'),local('Liberation Sans');size-adjust:106.3%;ascent-override:91.1%;descent-override:22.7%;line-gap-override:0%}
@font-face{font-family:'Newsreader Fallback';src:local('Times New Roman'),local('Liberation Serif');size-adjust:112.3%;ascent-override:65.5%;descent-override:23.6%;line-gap-override:0%}

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
  --mono: 'JetBrains Mono', ui-monospace, monospace;
  --ratio: 1.2;
  --size-small: 0.875rem;
  --size-1: calc(1rem * var(--ratio));
  --size-2: calc(var(--size-1) * var(--ratio));
  --size-3: calc(var(--size-2) * var(--ratio));
  --size-4: calc(var(--size-3) * var(--ratio));
  --radius: 3px;
}
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
code, .code { font-family: var(--mono); }
time { font-variant-numeric: tabular-nums; }

.bar { border-bottom: 1px solid var(--hairline); }
.bar > div {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 1.5rem;
  max-width: 36.5rem;
  margin-inline: auto;
  padding: 0.5rem 1.25rem;
  min-height: 3.75rem;
}
.wordmark {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-height: 2.75rem;
  font-family: var(--display);
  font-size: 1.25rem;
  font-weight: 550;
  letter-spacing: -0.01em;
  line-height: 1;
  color: var(--ink);
  text-decoration: none;
}
.mark { color: var(--brand); }
.who { display: flex; align-items: center; gap: 1rem; min-width: 0; font-size: var(--size-small); color: var(--quiet); }
.who-email { overflow: hidden; text-overflow: ellipsis; }

main {
  max-width: 36.5rem;
  margin-inline: auto;
  padding: 2.5rem 1.25rem 4rem;
}
main > * + * { margin-top: 1.5rem; }
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
input.digits { max-width: 12rem; font-family: var(--mono); font-size: 1.375rem; letter-spacing: 0.14em; font-variant-numeric: tabular-nums; }
input.letters { max-width: 17rem; text-transform: uppercase; }
input::placeholder { color: var(--quiet); opacity: 1; }
[aria-invalid=true] { border: 2px solid var(--danger) !important; }
.fault { color: var(--danger); font-size: var(--size-small); font-weight: 550; }
.alert { border-left: 3px solid var(--danger); padding: 0.25rem 0 0.25rem 1rem; font-weight: 550; }
.note { border-left: 3px solid var(--signal); padding: 0.25rem 0 0.25rem 1rem; }

.button {
  display: inline-block;
  font: inherit;
  font-weight: 550;
  line-height: 1.5;
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
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
@media (max-width: 26rem) { .actions .button { flex: 1 1 100%; text-align: center; } }

.cards { display: grid; gap: 1rem; }
.card { background: var(--raised); border: 1px solid var(--hairline); border-radius: var(--radius); padding: 1.25rem; }
.card > * + * { margin-top: 0.5rem; }
.card h2 { font-size: var(--size-1); overflow-wrap: anywhere; }
.card details { margin-bottom: -0.625rem; }
.card details[open] { margin-bottom: 0; }
.card-head { display: flex; align-items: start; justify-content: space-between; gap: 1rem; }
.card-head h2 { padding-top: 0.5rem; }
.card-head form { flex: none; }
summary { cursor: pointer; color: var(--brand); width: fit-content; padding-block: 0.625rem; }
.empty { border-block: 1px solid var(--hairline); padding-block: 1.25rem; color: var(--quiet); }
.aside { border-top: 1px solid var(--hairline); padding-top: 1.5rem; margin-top: 2.5rem; }
.aside > * + * { margin-top: 0.75rem; }
.scopes { display: grid; gap: 0.75rem; }
.scopes li { padding-left: 1rem; border-left: 2px solid var(--hairline); }
.scopes code { display: block; font-size: 0.8125rem; color: var(--quiet); }
.scopes .missing { border-color: var(--danger); }
.scopes strong { color: var(--danger); font-weight: 550; }

.host { border-block: 1px solid var(--hairline); padding-block: 1rem; color: var(--quiet); }
.host-name { font-family: var(--display); font-size: var(--size-3); font-weight: 500; line-height: 1.2; color: var(--ink); overflow-wrap: anywhere; }
.host-name.code { font-family: var(--mono); letter-spacing: 0.08em; }
.part { display: grid; gap: 0.75rem; }
.part + .part { margin-top: 0.75rem; }
h2 + .fine { margin-top: -0.5rem; }
legend { margin-bottom: 0.25rem; }
fieldset { min-width: 0; }
legend h2 { font-size: var(--size-2); }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; }
.choice input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--brand); }
.choice label { padding-block: 0.5rem; }
.choice .fine { grid-column: 2; }
.choice p { margin-top: -0.25rem; }
.choice input:disabled + label { color: var(--quiet); }
.facts { display: grid; gap: 0.5rem; }
.facts div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; }
.facts dt { color: var(--quiet); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.facts strong { color: var(--signal); }
.program { font-size: var(--size-small); }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`
