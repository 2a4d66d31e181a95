// The pages of refusals and failures.
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
    content: (
      <>
        <h1>{failure.title}</h1>
        <p class="lead">{failure.text}</p>
        {failure.next !== undefined && (
          <p class="actions">
            <a class="button" href={failure.next.href}>
              {failure.next.label}
            </a>
          </p>
        )}
        {failure.reference !== undefined && (
          <p class="fine">
            Reference <span class="code">{failure.reference}</span>
          </p>
        )}
      </>
    ),
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

const reasons: Readonly<Record<string, string>> = {
  invalid_client: 'The application that sent you here is not known. It may have to register again.',
  invalid_redirect_uri:
    'The application that sent you here asked to be answered at an address that it did not register.',
}

/** An error of an authorization that must not be sent to a client, because it is not known to be
 *  one: no page redirects there (RFC 6749 section 4.1.2.1). */
export const authorizationErrorPage = (site: Site, code: string, description: string): PageAnswer =>
  failurePage(site, {
    status: 400,
    title: 'This request cannot be answered',
    text:
      reasons[code] ??
      'The application that sent you here made a mistake. Nothing was given to it.',
    reference: `${code}: ${description}`,
  })
