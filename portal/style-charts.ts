// Chart styles (frame/charts.tsx). Successes are paler than failures.
export const charts = `
.charts { display: grid; gap: 1.5rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); align-items: start; }
.chart { margin: 0; min-width: 0; border-top: 1px solid var(--line); padding-top: 0.625rem; font-size: 0.8125rem; }
.chart figcaption { font-size: 0.9375rem; font-weight: 550; }
.chart figcaption .quiet { display: block; font-weight: 400; font-size: 0.8125rem; }
.chart .good { --tone: color-mix(in srgb, var(--brand) 65%, var(--raised)); }
.chart .second { --tone: var(--brand); }
.chart .waiting { --tone: var(--signal); }
.chart .bad { --tone: var(--danger); }
.chart .plain { --tone: color-mix(in srgb, var(--line) 70%, var(--raised)); }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.375rem 0.625rem; margin-top: 0.75rem; color: var(--quiet); font-size: 0.75rem; line-height: 1; font-variant-numeric: tabular-nums; }
.plot svg { display: block; width: 100%; height: 8rem; overflow: visible; }
.plot .scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin-block: -0.34rem; }
.plot .starts { grid-column: 2; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); white-space: nowrap; min-height: 0.75rem; }
.plot .starts span { display: grid; justify-content: center; }
.plot .starts .name { overflow: hidden; text-overflow: ellipsis; display: block; text-align: center; padding-inline: 1px; }
.plot .axis { stroke: var(--hairline); stroke-width: 1; vector-effect: non-scaling-stroke; }
.plot .bucket rect { fill: var(--tone); stroke: var(--paper); stroke-width: 1; vector-effect: non-scaling-stroke; }
.plot .bucket .hit { fill: transparent; stroke: none; }
.plot .bucket:hover .hit { fill: color-mix(in srgb, var(--line) 22%, transparent); }
.plot .line { fill: none; stroke: var(--tone); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; pointer-events: none; }
.plot .dot { fill: none; stroke: var(--tone); stroke-width: 8; stroke-linecap: round; vector-effect: non-scaling-stroke; pointer-events: none; }
.plot .line.waiting { stroke-dasharray: 5 4; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: 0.25rem; color: var(--quiet); }
.legend li { display: flex; align-items: center; gap: 0.375rem; }
.swatch { width: 0.625rem; height: 0.625rem; background: var(--tone); }
.swatch.line { width: 1rem; height: 0; background: none; border-top: 2px solid var(--tone); }
.swatch.line.waiting { border-top-style: dashed; }
.chart-empty { display: grid; align-content: center; min-height: 9rem; color: var(--quiet); max-width: 24rem; }
.chart details { margin-top: 0.375rem; }
.chart summary { padding-block: 0.375rem; width: fit-content; }
.chart td, .chart th { padding-block: 0.25rem; font-size: 0.8125rem; }
.schedule { margin: 0; max-width: 46rem; }
.schedule svg { display: block; width: 100%; height: auto; overflow: visible; }
.schedule line { stroke: var(--line); stroke-width: 2; }
.schedule .good { fill: var(--brand); }
.schedule .bad { fill: var(--danger); }
.schedule .waiting { fill: var(--paper); stroke: var(--signal); stroke-width: 4; }
.schedule .plain { fill: var(--line); }
.schedule ol { display: grid; grid-template-columns: repeat(9, minmax(0, 1fr)); margin: 0.25rem 0 0; padding: 0; list-style: none; text-align: center; font-size: 0.75rem; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
.schedule li.waiting { color: var(--signal); font-weight: 600; }
@media (max-width: 26rem) { .plot .starts .if-wide { visibility: hidden; } }
@media (max-width: 40rem) { .schedule .if-wide { display: none; } }
.attempts details { border-top: 1px solid var(--hairline); }
.attempts details:last-child { border-bottom: 1px solid var(--hairline); }
.attempts summary { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; padding-block: 0.75rem; color: var(--ink); }
.attempts details > * + * { margin-top: 0.75rem; }
.attempts details[open] { padding-bottom: 1.25rem; }
.attempts h3 { margin: 1rem 0 0; font-size: 0.8125rem; font-weight: 500; color: var(--quiet); }
.attempt-number { min-width: 1.25rem; font-variant-numeric: tabular-nums; font-weight: 600; }
#delivery > * + * { margin-top: 2rem; }
`
