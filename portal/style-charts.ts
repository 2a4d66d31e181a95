// How charts look (frame/charts.tsx).
export const charts = `
.chart { background: var(--raised); border: 1px solid var(--hairline); border-radius: var(--radius); padding: 1rem 1.25rem; margin: 0; }
.chart figcaption { font-weight: 550; }
.chart svg { display: block; width: 100%; height: auto; margin-top: 0.75rem; overflow: visible; }
.chart text { font-family: var(--text); font-size: 11px; fill: var(--quiet); font-variant-numeric: tabular-nums; }
.chart .axis { stroke: var(--hairline); stroke-width: 1; }
.chart .good { fill: var(--brand); }
.chart .waiting { fill: var(--signal); }
.chart .bad { fill: var(--danger); }
.chart .plain { fill: var(--line); }
.chart .line { fill: none; stroke: var(--brand); stroke-width: 2; }
.chart .line.second { stroke: var(--signal); stroke-dasharray: 5 3; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 0.625rem; font-size: 0.8125rem; color: var(--quiet); }
.chart details { margin-top: 0.25rem; font-size: 0.8125rem; }
.chart summary { padding-block: 0.375rem; }
`
