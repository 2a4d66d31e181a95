// The pages of refusals and failures.
import { markup } from '#http/html/markup.ts'
import { page, type PageAnswer, type Site } from './page.ts'

export type Failure = {
  readonly status: number
  readonly title: string
  /** What happened, and what to do next. */
  readonly text: string
  /** A link to go on with. */
  readonly next?: { readonly href: string; readonly label: string } | undefined
  /** A code that the operator finds in the log. */
  readonly reference?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export const failurePage = (site: Site, failure: Failure): PageAnswer =>
  page(site, {
    title: failure.title,
    status: failure.status,
    headers: failure.headers ?? {},
    content: markup`<h1>${failure.title}</h1>
<p class="lead">${failure.text}</p>
${failure.next !== undefined && markup`<p class="actions"><a class="button" href="${failure.next.href}">${failure.next.label}</a></p>`}
${failure.reference !== undefined && markup`<p class="fine">Reference <span class="code">${failure.reference}</span></p>`}`,
  })

export const notFoundPage = (site: Site): PageAnswer =>
  failurePage(site, {
    status: 404,
    title: 'There is no such page',
    text: 'The address may be mistyped, or what it led to has ended.',
    next: { href: '/', label: 'Your agents and devices' },
  })

/** A form that this browser was not given, or not in this session. */
export const staleFormPage = (site: Site, path: string): PageAnswer =>
  failurePage(site, {
    status: 403,
    title: 'This form is out of date',
    text: 'It was open for too long, or you signed in or out since. Nothing was changed.',
    next: { href: path, label: 'Open it again' },
  })
