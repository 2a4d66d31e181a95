// How the home page looks (pages/home/).
export const home = `
.page > * + * { margin-top: 2rem; }
ol.steps { margin: 0; padding: 0; max-width: 52rem; }
.steps .mark svg { display: block; margin: -1.5px; }
.steps li > details > * + * { margin-top: 0.625rem; }
.steps li > details > summary { width: fit-content; list-style-position: outside; }
.part > p + .steps { margin-top: 1rem; }
.step-links { display: flex; gap: 1.25rem; }
.part > details > summary { font-weight: 550; padding-block: 0.5rem; width: fit-content; }
.part > details > ol { margin-top: 0.75rem; }
`
