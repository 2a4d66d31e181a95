// Styles for single pages (pages/home/, pages/requests/, pages/sandbox/).
export const pages = `
.page > * + * { margin-top: 2rem; }
.page > section > * + * { margin-top: 0.75rem; }
ol.steps { margin: 0; padding: 0; max-width: 52rem; }
.steps li > details > * + * { margin-top: 0.625rem; }
.steps li > details > summary { display: flex; align-items: baseline; gap: 0.5rem; width: fit-content; color: var(--ink); list-style: none; }
.steps summary::-webkit-details-marker { display: none; }
.steps summary::after { content: ''; width: 0.375rem; height: 0.375rem; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; rotate: 45deg; translate: 0 -0.1875rem; }
.steps [open] > summary::after { rotate: 225deg; translate: 0 0; }
.step-links { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; }
.part > :is(h2, p) + .steps { margin-top: 1rem; }
.part > details > summary { font-weight: 550; padding-block: 0.5rem; width: fit-content; }
.part > details > ol { margin-top: 0.75rem; }

#next-step:empty { display: none; }
h3 { margin: 0; font-family: var(--text); font-size: 0.8125rem; font-weight: 500; color: var(--quiet); }
.moves > * + * { margin-top: 0.5rem; }
.moves + .moves { margin-top: 1.25rem; }
.zone { margin-top: 2rem; }
main:not(:has(time)) .zone { display: none; }
.move-tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; position: relative; }
.move-tabs > input { position: absolute; opacity: 0; }
.move-tabs > label { display: inline-flex; align-items: center; min-height: 2.75rem; font-size: 0.9375rem; font-weight: 400; color: var(--quiet); cursor: pointer; }
.move-tabs > :checked + label { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--brand); }
.move-tabs > :focus-visible + label { outline: 2px solid var(--brand); outline-offset: 2px; }
.move-form { display: none; order: 1; flex-basis: 100%; margin-top: 0.75rem; }
.move-form > * { max-width: 32rem; }
.move-form > button { justify-self: start; }
.move-tabs > :checked + label + .move-form { display: grid; }
.row-actions a.more { min-height: 2.5rem; display: inline-flex; align-items: center; margin-block: 0; }
.row-actions a.more:only-child { min-height: 0; margin-block: -0.1875rem; }
@media (min-width: 40rem) { td > .row-actions:has(button) { margin-block: -0.5rem; } }

.find .field { flex: 0 1 27rem; }
.filters .clear { align-self: center; }
`
