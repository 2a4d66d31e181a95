// The stylesheet of the console: what it shares with the portal, and its own pages.
import { frame } from '#http/html/style-frame.ts'
import { parts } from '#http/html/style-parts.ts'
import { theme } from '#http/html/theme.ts'

const pages = `
.switch.clinic { display: flex; align-items: center; min-height: 2.75rem; font-size: var(--size-small); font-weight: 550; }
.tabs { flex-wrap: wrap; gap: 0 1.25rem; }
.account-roles { padding: 0.375rem 1rem; border-bottom: 1px solid var(--hairline); }
.review { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 26rem); gap: 2.5rem; align-items: start; }
.review > div > * + * { margin-top: 2rem; }
.review section > * + * { margin-top: 0.75rem; }
.actions-of > * + * { margin-top: 1.25rem; }
.actions-of { border-left: 1px solid var(--hairline); padding-left: 2rem; }
.actions-of details > summary { font-weight: 550; padding-block: 0.5rem; cursor: pointer; }
.actions-of details > form { margin-top: 0.75rem; }
.plan-line { border-top: 1px solid var(--hairline); padding-top: 0.875rem; display: grid; gap: 0.75rem; }
.numbers { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.75rem; }
.numbers label { font-size: 0.875rem; }
.thread { list-style: none; padding: 0; max-width: 44rem; }
.thread > li { padding-block: 0.75rem; border-bottom: 1px solid var(--hairline); }
.thread .lines { white-space: pre-line; overflow-wrap: anywhere; }
.note { border-left: 3px solid var(--signal); padding-left: 1rem; }
.success { border-left: 3px solid var(--brand); padding-left: 1rem; }
.document { margin: 0; }
.document img { display: block; max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line); }
.document nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; margin-top: 0.75rem; }
.claim { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
@media (max-width: 75rem) {
  .review { grid-template-columns: minmax(0, 1fr); }
  .actions-of { border-left: 0; padding-left: 0; border-top: 1px solid var(--line); padding-top: 1.5rem; }
}
`

export const style = [theme, frame, parts, pages].join('\n')
