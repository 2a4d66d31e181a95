// How the home page looks (pages/home/).
export const home = `
.page > * + * { margin-top: 2rem; }
ol.steps { margin: 0; padding: 0; max-width: 52rem; }
.steps .mark svg { display: block; margin: -1.5px; }
.steps summary { width: fit-content; padding-block: 0.25rem; }
.steps details > .copyable { margin-top: 0.25rem; }
.step-links { display: flex; gap: 1.25rem; }
.part > details > summary { font-weight: 550; padding-block: 0.5rem; width: fit-content; }
.part > details > ol { margin-top: 0.75rem; }
`
