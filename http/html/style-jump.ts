// Styles of the search dialog (http/pages/jump.tsx).
export const jump = `
kbd { font-family: var(--text); font-size: 0.75rem; line-height: 1; padding: 0.1875rem 0.375rem; border: 1px solid var(--hairline); border-radius: var(--radius); color: var(--quiet); background: var(--raised); }
kbd[hidden] { display: none; }
.jump-open { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; color: var(--quiet); font-size: var(--size-small); text-decoration: none; white-space: nowrap; }
.jump-open:hover { color: var(--ink); }
dialog.jump { width: min(38rem, calc(100vw - 2rem)); max-height: min(34rem, 80vh); margin: 12vh auto auto; padding: 0; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: calc(2 * var(--radius)); overflow: hidden; }
dialog.jump[open] { display: flex; flex-direction: column; }
dialog.jump::backdrop { background: rgb(0 0 0 / 40%); }
.jump-form { display: flex; gap: 0.75rem; }
.jump-form input::-webkit-search-cancel-button { display: none; }
.jump-page .jump-form { max-width: 38rem; }
dialog .jump-form { border-bottom: 1px solid var(--hairline); }
dialog .jump-form input { border: 0; min-height: 3.5rem; padding-inline: 1.25rem; border-radius: 0; background: transparent; outline-offset: -3px; }
dialog .jump-form button { position: absolute; clip-path: inset(50%); width: 1px; min-height: 0; height: 1px; padding: 0; overflow: hidden; }
.jump-results { overflow-y: auto; overscroll-behavior: contain; }
dialog .jump-results { padding: 0.25rem 0.5rem 0.5rem; }
.jump-page .jump-results { max-width: 38rem; margin-top: 1rem; }
.jump-results h2 { font-family: var(--text); font-size: 0.8125rem; font-weight: 500; letter-spacing: 0; color: var(--quiet); padding: 0.875rem 0.75rem 0.25rem; }
.jump-results a { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; min-height: 2.75rem; padding: 0.625rem 0.75rem; border-radius: var(--radius); color: var(--ink); text-decoration: none; }
.jump-results a:is(:hover, :focus-visible) { background: var(--brand-quiet); }
.jump-results a:focus-visible { outline-offset: -2px; }
.jump-label { overflow-wrap: anywhere; }
.jump-detail { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); font-size: var(--size-small); }
.jump-none { padding: 1rem 0.75rem; color: var(--quiet); }
.jump-keys { padding: 0.5rem 1.25rem; border-top: 1px solid var(--hairline); }
@media (hover: none) { .jump-keys, .jump-open kbd { display: none; } }
@media (max-width: 40rem) {
  dialog.jump { margin-top: 1rem; }
  .jump-open kbd { display: none; }
}
`
