// Styles of page parts (parts.tsx).
export const parts = `
.heading { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 1rem 2rem; }
.heading > div:first-child { flex: 1 1 20rem; min-width: 0; }
.heading .lead { max-width: 42rem; margin-top: 0.5rem; overflow-wrap: anywhere; }
.heading-action { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.empty { border: 1px dashed var(--line); border-radius: var(--radius); padding: 1.75rem; max-width: 44rem; color: var(--quiet); }
.empty { overflow-wrap: anywhere; }
.empty h2 { color: var(--ink); }
.empty > * + * { margin-top: 0.75rem; }
.empty form > button { justify-self: start; }
.optional { color: var(--quiet); font-weight: 400; }
.part > h2 + * { margin-top: 0.25rem; }
main > section > * + * { margin-top: 0.75rem; }
form.stack { max-width: 38rem; }

select, textarea { width: 100%; font: inherit; color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.625rem 0.75rem; min-height: 2.875rem; }
select { appearance: none; padding-right: 2.25rem; background-image: linear-gradient(45deg, transparent 50%, var(--quiet) 50%), linear-gradient(-45deg, transparent 50%, var(--quiet) 50%); background-position: right 1.125rem center, right 0.8125rem center; background-size: 0.3125rem 0.3125rem; background-repeat: no-repeat; text-overflow: ellipsis; }
textarea { min-height: 6rem; }
input:is([type=checkbox], [type=radio]) { width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; padding: 0; accent-color: var(--brand); }
.choices { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: start; min-height: 2.75rem; }
.choice label { padding-block: 0.5rem; }
.choice input { margin-top: 0.75rem; }
.choice .fine { display: block; }
.choice code { display: block; font-size: 0.8125rem; color: var(--quiet); }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); align-items: start; }

.button.small { min-height: 2.5rem; padding: 0.375rem 0.875rem; }
.button.danger { background: var(--danger); color: var(--paper); border-color: var(--danger); }
.button.danger:hover { background: color-mix(in srgb, var(--danger) 86%, var(--ink)); }
.confirm > summary.button { color: var(--danger); border-color: color-mix(in srgb, var(--danger) 55%, var(--line)); }
summary.button { width: fit-content; padding-block: 0.375rem; list-style: none; }
summary.button::-webkit-details-marker { display: none; }
.confirm[open] > summary { border-style: dashed; color: var(--quiet); }
.confirm-form { display: grid; gap: 0.75rem; margin-top: 0.75rem; padding-left: 1rem; border-left: 3px solid var(--danger); max-width: 30rem; }
.row-actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; }

.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
td.number { font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 500; color: var(--quiet); font-size: 0.8125rem; padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 0.75rem 1rem 0.75rem 0; border-bottom: 1px solid var(--hairline); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
td { overflow-wrap: break-word; }
td time { white-space: nowrap; }
main p > a:only-child:not(.button, :has(.address)) { padding-block: 0.3125rem; }
.facts dd > a:only-child, .id-copy > a { display: inline-block; padding-block: 0.1875rem; margin-block: -0.1875rem; }
td a:not(.button) { display: inline-block; padding-block: 0.1875rem; margin-block: -0.1875rem; text-decoration-color: transparent; }
tr:hover td a { text-decoration-color: currentColor; }
.fine code, .hint code, .empty p code { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.id-copy { display: inline-flex; align-items: center; gap: 0.25rem; max-width: 100%; }
.copy { flex: none; display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; padding: 0; border: 0; border-radius: var(--radius); background: none; color: var(--quiet); cursor: pointer; }
.copy:hover { color: var(--ink); background: var(--brand-quiet); }
.copy[data-copied] { color: var(--brand); background: var(--brand-quiet); }
.copy[data-copied]::after { content: 'Copied'; position: absolute; translate: 0 -1.75rem; padding: 0.125rem 0.375rem; border-radius: var(--radius); background: var(--ink); color: var(--paper); font-size: 0.75rem; }
td code, .id { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .table { overflow: visible; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table table, .table tbody, .table tr { display: block; }
  .table td time { white-space: normal; }
  .table tr { border-top: 1px solid var(--hairline); padding-block: 0.75rem; }
  .table td { display: flow-root; padding: 0.25rem 0 0.25rem 6rem; border: 0; }
  .table td code, .table .id { font-size: 0.75rem; }
  .table td::before { content: attr(data-head); float: left; width: 5.5rem; margin: 0.125rem 0 0 -6rem; color: var(--quiet); font-size: 0.8125rem; line-height: 1.25rem; }
  .table td[data-head='']::before { content: none; }
  .table td[data-head=''] { padding-left: 0; }
}

.badge { display: inline-flex; align-items: center; gap: 0.375rem; font-size: 0.8125rem; font-weight: 550; white-space: nowrap; }
.badge::before { content: ''; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--line); }
.badge.good::before { background: var(--brand); }
.badge.bad { color: var(--danger); }
.badge.bad::before { background: var(--danger); border-radius: 1px; }
.badge.waiting { color: var(--signal); }
.badge.waiting::before { background: transparent; border: 2px solid var(--signal); }

.copyable { display: flex; min-width: 0; align-items: start; gap: 0.75rem; background: var(--raised); border: 1px solid var(--hairline); border-radius: var(--radius); padding: 0.75rem; }
.copyable pre { flex: 1; min-width: 0; margin: 0; padding: 0.375rem 0; overflow-x: auto; font-size: 0.875rem; line-height: 1.55; }
.copyable .button { flex: none; }
@media (max-width: 40rem) { .copyable { flex-wrap: wrap; } .copyable pre { flex: 1 1 100%; } }
pre.source { margin: 0; background: var(--raised); font-family: var(--mono); border: 1px solid var(--hairline); border-radius: var(--radius); padding: 0.875rem 1rem; overflow-x: auto; font-size: 0.8125rem; line-height: 1.6; }

.part-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1.5rem; }
.tabs { display: flex; gap: 1.25rem; font-size: 0.9375rem; }
.tabs a { min-height: 2.75rem; display: inline-flex; align-items: center; color: var(--quiet); text-decoration: none; }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--brand); }
.address { overflow-wrap: anywhere; }
h1 .address { font-family: var(--mono); font-size: 1.375rem; letter-spacing: 0; word-spacing: 0; }
.event-types { display: grid; gap: 0.25rem; }
.event-types fieldset { border-top: 1px solid var(--hairline); padding-block: 0.375rem; }
.event-types fieldset legend { float: left; width: 10.5rem; padding-block: 0.5rem; font-weight: 500; overflow-wrap: anywhere; }
.event-types fieldset .choices { margin-left: 11rem; gap: 0 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); }
@media (max-width: 40rem) {
  .event-types fieldset legend { width: 100%; padding-block: 0.25rem 0; }
  .event-types fieldset .choices { margin-left: 0; clear: both; }
}
.choice .hint { display: block; font-weight: 400; }

.facts { display: grid; gap: 0.625rem 2rem; }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 1rem; }
.lines { white-space: pre-line; }
.facts dt { color: var(--quiet); }
.facts dd { overflow-wrap: anywhere; }
@media (max-width: 40rem) { .facts > div { grid-template-columns: 1fr; gap: 0; } }

.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem 1rem; }
.filters:has([aria-invalid]) { align-items: start; }
.filters:has([aria-invalid]) .actions { align-self: end; }
.moments { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; }
.moments .field { flex: 0 1 12rem; }
.filters .field { flex: 0 1 12rem; }
.filters .field:has(select) { flex-basis: auto; min-width: 12rem; max-width: 20rem; }
.filters label { font-size: 0.8125rem; font-weight: 500; color: var(--quiet); }
.filters input, .filters select { min-height: 2.5rem; padding: 0.375rem 0.625rem; font-size: 0.9375rem; }
@media (max-width: 40rem) {
  .filters:not(.find) { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
  .filters .field { grid-template-columns: minmax(0, 1fr); }
  .filters .moments { grid-column: 1 / -1; }
  .filters .field:has(select) { max-width: none; }
  .moments .field { flex-basis: 100%; }
}
.filter-fold > summary { margin-bottom: 0; }
.filter-fold[open] > summary { margin-bottom: 1rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 1rem; font-size: var(--size-small); }
.chips a { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.25rem; max-width: 100%; padding: 0.25rem 0.75rem; border-radius: 1.25rem; background: var(--brand-quiet); color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.chips a:hover { background: color-mix(in srgb, var(--brand-quiet) 80%, var(--ink)); }
.chips a.chips-clear { background: none; text-decoration: underline; text-underline-offset: 0.2em; }
.live-count { display: none; }
.filters select { padding-right: 2.25rem; }
#redeliver { margin-bottom: 0.75rem; }
.live .live-count { display: block; margin-bottom: 0.75rem; }
.live .live-count a { display: block; padding: 0.5rem 1rem; border-radius: var(--radius); background: var(--brand-quiet); text-align: center; }
.pager { display: flex; justify-content: space-between; }
.pager a { min-height: 2.75rem; display: inline-flex; align-items: center; }

.steps { display: grid; gap: 0; max-width: 46rem; border-top: 1px solid var(--hairline); }
.steps > li { display: grid; grid-template-columns: 1.5rem minmax(0, 1fr); gap: 0.25rem 1.125rem; padding-block: 0.875rem; border-bottom: 1px solid var(--hairline); }
.steps .mark { width: 1.25rem; height: 1.25rem; margin-top: 0.1875rem; border: 1.5px solid var(--line); border-radius: 50%; color: var(--on-brand); }
.steps .done .mark { background: var(--brand); border-color: var(--brand); }
.steps .done > div > strong { color: var(--quiet); font-weight: 500; }
.steps li > div > * + * { margin-top: 0.5rem; }
.steps a:not(.button) { display: inline-block; padding-block: 0.25rem; }
.advice { border-left: 3px solid var(--signal); padding-left: 1.25rem; max-width: 46rem; }
.scopes { display: grid; gap: 0.75rem 1.5rem; }
.scopes code { display: block; font-size: 0.8125rem; color: var(--quiet); }
.scopes { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }

.lines-of { border-top: 1px solid var(--hairline); }
.lines-of > li { padding-block: 0.625rem; border-bottom: 1px solid var(--hairline); overflow-wrap: anywhere; }
.lines-of a { display: inline-block; padding-block: 0.25rem; }

.bullets { padding-left: 1.25rem; list-style: disc; }
.bullets li + li { margin-top: 0.25rem; }
.document { max-width: 42rem; }
.document > * + * { margin-top: 0.875rem; }
.document h2 { font-size: var(--size-1); margin-top: 2rem; }
.document ol { padding-left: 1.75rem; }
.document li + li { margin-top: 0.5rem; }
@media print {
  .bar, .side, .menu, .skip, .heading-action { display: none; }
  .frame { display: block; }
  .frame > main { padding: 0; }
}
`
