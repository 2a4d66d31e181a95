// Jump: ⌘K, Ctrl+K or / opens a search over the page, and a link in the bar opens the same search
// as a page where scripts don't run. A module adds it in three steps:
//
// 1. A row for the search page in its table: `jump: page('/search', 'Search', …)`.
// 2. That row's handler, which returns `jumpPage(call, { path, label, groups })`. The handler finds
//    hits for `queryOf(call)` in any way: `matching` filters hits in memory, and a database search
//    adds its own group. Without a query, return the pages people open most. A single hit opens
//    immediately, unless the dialog sent the request.
// 3. `jump={{ path, label, person }}` on its `Frame`. `recent="Key Server"` adds the page to the
//    recent items, which stay in the browser until the person signs out. The label is stored in the
//    browser, so it must never name a patient.
//
// The dialog requests the page and shows its results, so both show the same. `browser/jump.ts` has
// the shortcuts, the arrow keys and the recent items.
import type { VNode } from 'preact'
import { Heading } from '../html/parts.tsx'
import type { PageAnswer } from './answer.tsx'
import type { OpenCall } from './call.ts'

export type JumpHit = {
  readonly href: string
  readonly label: string
  /** Shown beside the label: an ID, a URL or a status. */
  readonly detail?: string
  /** More search words. */
  readonly words?: string
}

export type JumpGroup = { readonly title: string; readonly hits: readonly JumpHit[] }

export type Jump = {
  /** The search page's URL. */
  readonly path: string
  /** The input's label: "Search pages, IDs, endpoints and keys". */
  readonly label: string
}

type Asking = Pick<OpenCall<string, unknown>, 'query' | 'request'>

const queryMax = 200

/** The typed query, trimmed; '' if there's none. */
export const queryOf = ({ query }: Pick<Asking, 'query'>): string =>
  (query.get('q') ?? '').trim().slice(0, queryMax)

/** Sent by `browser/jump.ts` as someone types. */
const dialogHeader = 'x-jump'

const hitsMax = 8

/** The hits that contain every word of the query; labels that start with the query come first.
 *  Without a query, all hits. */
export function matching(hits: readonly JumpHit[], query: string): readonly JumpHit[] {
  const wanted = query.toLowerCase()
  const words = wanted.split(/\s+/)
  const rank = ({ label }: JumpHit) => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return hits
    .filter(({ label, detail = '', words: more = '' }) => {
      const text = `${label} ${detail} ${more}`.toLowerCase()
      return words.every(word => text.includes(word))
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, query === '' ? hits.length : hitsMax)
}

type JumpPage = Jump & {
  readonly groups: readonly JumpGroup[]
  /** A hint for a search without results. */
  readonly hint: string
}

/** The search page, or a redirect to the only hit. */
export function jumpPage(call: Asking, { groups, hint, ...jump }: JumpPage): PageAnswer {
  const query = queryOf(call)
  const found = groups.filter(({ hits }) => hits.length > 0)
  const [only, ...others] = found.flatMap(({ hits }) => hits)
  const isDialog = call.request.headers.get(dialogHeader) !== null
  if (query !== '' && only !== undefined && others.length === 0 && !isDialog) {
    return { redirect: only.href }
  }
  return {
    content: (
      <>
        <Heading title="Search" />
        <div class="jump jump-page">
          <JumpForm {...jump} query={query} id="jump-page-query" target="jump-page-results" />
          <div id="jump-page-results" class="jump-results" data-query={query}>
            {found.map(group => (
              <Hits key={group.title} {...group} />
            ))}
            {query !== '' && found.length === 0 && (
              <p class="jump-none" role="status">
                No results for “{query}”. {hint}
              </p>
            )}
          </div>
        </div>
      </>
    ),
  }
}

const Hits = ({ title, hits }: JumpGroup) => (
  <section>
    <h2>{title}</h2>
    <ul>
      {hits.map(({ href, label, detail }) => (
        <li key={href}>
          <a href={href}>
            <span class="jump-label">{label}</span>
            {detail !== undefined && <span class="jump-detail">{detail}</span>}
          </a>
        </li>
      ))}
    </ul>
  </section>
)

type JumpFormProps = Jump & { readonly query: string; readonly id: string; readonly target: string }

/** `target` is the ID of the element that shows the results. */
const JumpForm = ({ path, label, query, id, target }: JumpFormProps) => (
  <form class="jump-form" role="search" method="get" action={path} data-results={target}>
    <label class="hidden" for={id}>
      {label}
    </label>
    <input id={id} type="search" name="q" value={query} placeholder={label} autocomplete="off" />
    <button class="button second small">Search</button>
  </form>
)

/** The link in the bar. */
export const JumpLink = ({ path }: Pick<Jump, 'path'>): VNode => (
  <a class="jump-open" href={path} data-jump aria-keyshortcuts="Meta+K Control+K /">
    <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.8" />
      <path d="m13 13 4.5 4.5" fill="none" stroke="currentColor" stroke-width="1.8" />
    </svg>
    Search
    <kbd aria-hidden="true" hidden>
      ⌘K
    </kbd>
  </a>
)

/** The dialog over the page. The dialog shows the recent items of `person`. */
export const JumpDialog = (jump: Jump & { readonly person: string }): VNode => (
  <dialog class="jump" id="jump" aria-label="Search" data-person={jump.person}>
    <JumpForm {...jump} query="" id="jump-query" target="jump-results" />
    <div id="jump-results" class="jump-results" />
    <p class="jump-keys fine" aria-hidden="true">
      <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close
    </p>
  </dialog>
)
