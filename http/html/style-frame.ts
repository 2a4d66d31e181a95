// The frame around portal and console pages: the bar, the navigation and the content.
import { jump } from './style-jump.ts'
import { toast } from './style-toast.ts'

export const frame = `
.skip { position: absolute; left: -100vw; top: 0; background: var(--raised); padding: 0.75rem 1rem; z-index: 3; }
.skip:focus { left: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bar {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 1.5rem;
  min-height: 3.75rem;
  padding-inline: 1.25rem;
  border-bottom: 1px solid var(--hairline);
}
.bar-start, .bar-end { display: flex; align-items: center; gap: 0.25rem 1.25rem; min-width: 0; }
.wordmark { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; font-family: var(--display); font-size: 1.25rem; font-weight: 550; letter-spacing: -0.01em; line-height: 1; color: var(--ink); text-decoration: none; white-space: nowrap; }
.wordmark-part { color: var(--quiet); font-weight: 450; }
.mark { color: var(--brand); }

.switch { position: relative; min-width: 0; }
.switch > summary { display: flex; align-items: center; gap: 0.375rem; min-height: 2.75rem; max-width: 100%; color: var(--ink); font-size: var(--size-small); font-weight: 550; list-style: none; }
.switch > summary::-webkit-details-marker { display: none; }
.switch > summary::after { content: ''; flex: none; width: 0.375rem; height: 0.375rem; border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; rotate: 45deg; margin-top: -0.25rem; }
.switch-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar-start .switch { border-left: 1px solid var(--hairline); padding-left: 1.25rem; }
.account > summary { font-weight: 400; color: var(--quiet); }
.switch > ul { position: absolute; z-index: 2; top: 100%; min-width: 15rem; max-width: 90vw; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: 0.375rem 0; font-size: var(--size-small); }
.account > ul { right: 0; }
.switch li a, .switch li .link { display: flex; align-items: center; gap: 0.5rem; width: 100%; min-height: 2.75rem; padding: 0 1rem; color: var(--ink); text-decoration: none; text-align: left; font-size: inherit; }
.switch li a:hover, .switch li .link:hover { background: var(--brand-quiet); }
.switch li a[aria-current] { font-weight: 600; }
.switch-more { border-top: 1px solid var(--hairline); margin-top: 0.375rem; padding-top: 0.375rem; }
.modes { display: flex; border: 1px solid var(--line); border-radius: var(--radius); font-size: var(--size-small); }
.modes a { display: block; padding: 0.25rem 0.75rem; line-height: 1.75; color: var(--quiet); text-decoration: none; }
.modes a:hover { color: var(--ink); }
.modes a[aria-current] { background: var(--brand-quiet); color: var(--ink); font-weight: 600; }

.crumbs ol { display: flex; align-items: baseline; gap: 0.5rem; margin: 0; padding: 0; list-style: none; color: var(--quiet); font-size: var(--size-small); }
.crumbs li { flex: none; display: flex; align-items: center; gap: 0.5rem; }
.crumbs li + li::before { content: '/'; color: var(--line); }
.crumbs li:last-child { flex: initial; display: block; min-width: 4rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.crumbs li:last-child::before { margin-right: 0.5rem; }
.crumbs a { color: inherit; display: inline-block; padding-block: 0.25rem; }
.frame > main > .crumbs + * { margin-top: 0.5rem; }
.themes { display: flex; align-items: center; gap: 0 1rem; padding: 0 1rem; border-top: 1px solid var(--hairline); }
.switch .themes .link { width: auto; padding: 0; }
.switch .themes .link:hover { background: none; text-decoration: underline; }
.themes [aria-pressed=true] { font-weight: 600; text-decoration: underline; }
${toast}
.strip { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; padding: 0.25rem 1.25rem; background: color-mix(in srgb, var(--signal) 16%, var(--paper)); border-bottom: 2px solid var(--signal); font-size: var(--size-small); }
.strip a { color: inherit; display: inline-block; padding-block: 0.25rem; margin-block: -0.25rem; }

.frame { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); max-width: 82rem; min-height: calc(100vh - 3.75rem); margin-inline: auto; }
.side { border-right: 1px solid var(--hairline); padding: 1.75rem 0.75rem 3rem 1.25rem; }
.side .navigation { position: sticky; top: 1.75rem; }
.navigation { font-size: 0.9375rem; }
.navigation h2 { font-family: var(--text); font-size: 0.8125rem; font-weight: 500; letter-spacing: 0; color: var(--quiet); padding: 1.125rem 0.75rem 0.25rem; }
.navigation a { display: block; padding: 0.375rem 0.75rem; border-radius: var(--radius); color: var(--ink); text-decoration: none; }
.navigation a:hover { background: color-mix(in srgb, var(--brand-quiet) 55%, transparent); }
.navigation a[aria-current] { background: var(--brand-quiet); font-weight: 600; }
.menu { display: none; }
.frame > main { min-width: 0; padding: 2rem 2.5rem 5rem; outline: none; }
.frame > main > * + * { margin-top: 2rem; }
.narrow { max-width: 36.5rem; margin-inline: auto; padding: 2.5rem 1.25rem 4rem; }
.narrow > * + * { margin-top: 1.5rem; }
h1 { font-size: var(--size-3); }
h2 { font-size: var(--size-1); }
.quiet { color: var(--quiet); }

@media (max-width: 60rem) {
  .bar { padding-block: 0.25rem; }
  .frame { display: block; }
  .side { display: none; }
  .menu { display: block; border-bottom: 1px solid var(--hairline); }
  .menu > summary { width: auto; padding: 0.75rem 1.25rem; color: var(--ink); font-weight: 550; }
  .menu .navigation { padding: 0 0.5rem 1rem; columns: 2; }
  .menu .navigation section { break-inside: avoid; }
  .menu .navigation a { padding-block: 0.625rem; }
  .frame > main { padding: 1.5rem 1.25rem 4rem; }
}
@media (max-width: 40rem) {
  /* An open menu is as wide as the bar, because its own place may be anywhere in it. */
  .bar { position: relative; }
  .switch { position: static; }
  .switch > ul { left: 1.25rem; right: 1.25rem; max-width: none; }
  .bar-start { flex: 1 1 100%; justify-content: space-between; }
  .bar-start .switch { border: 0; padding: 0; }
  .bar-end { flex: 1 1 100%; justify-content: space-between; }
}
${jump}`
