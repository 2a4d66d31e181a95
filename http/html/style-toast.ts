// Styles of toasts (http/pages/toast.tsx).
export const toast = `
.toast { position: fixed; z-index: 4; inset: auto 1rem 1rem; width: fit-content; max-width: min(32rem, calc(100vw - 2rem)); margin-inline: auto; display: flex; align-items: center; gap: 1rem; padding: 0.25rem 0.5rem 0.25rem 1.25rem; border-radius: var(--radius); background: var(--ink); color: var(--paper); font-size: 0.9375rem; }
.toast p { padding-block: 0.625rem; }
.toast .link { color: inherit; font-weight: 600; }
.toast-close { min-width: 2.75rem; min-height: 2.75rem; border: 0; background: none; color: inherit; font: inherit; font-size: 1.25rem; cursor: pointer; }
.toast :focus-visible { outline-color: var(--paper); }
`
