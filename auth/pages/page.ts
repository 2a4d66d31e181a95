// What every page is made of: a request that was read, an answer, and the shell around the content.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Markup, markup } from '#http/html/markup.ts'
import { stylePath } from './assets.ts'

export type PageRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The fields of a form; empty for a GET. */
  readonly form: URLSearchParams
  header(name: string): string | null
  /** Of the client; null once the connection has closed. */
  readonly address: string | null
  readonly requestId: string
  readonly raw: readonly [request: IncomingMessage, response: ServerResponse]
}

export type PageAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
  readonly body: string | Uint8Array
}

export type Site = {
  /** The name of the company, and the address of its site. */
  readonly name: string
  readonly url: string
}

export type PageContent = {
  readonly title: string
  readonly content: Markup
  /** The email address of who is signed in. */
  readonly signedIn?: string | undefined
  readonly status?: number
  /** Addresses of other origins to which the answer to a form may redirect. */
  readonly formTargets?: readonly string[]
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The form that signs out, in the header of the page. */
  readonly signOut?: Markup
}

const mark = markup`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M18.9 15.2A8 8 0 1 1 18.9 8.8" fill="none" stroke="currentColor" stroke-width="2.6"/><circle cx="19.6" cy="12" r="3" fill="currentColor"/></svg>`

const document = (
  site: Site,
  { title, content, signedIn, signOut }: PageContent,
): Markup => markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfaf6" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#12150f" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<header class="bar"><div>
<a class="wordmark" href="${site.url}/">${mark}${site.name}</a>
${signedIn !== undefined && markup`<div class="who"><span class="who-email">${signedIn}</span>${signOut}</div>`}
</div></header>
<main>
${content}
</main>
</body>
</html>
`

/**
 * Browsers apply `form-action` to the redirects behind a form as well, so the address that an
 * authorization request returns to is named.
 */
const policyOf = (targets: readonly string[]) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `form-action 'self'${targets.map(target => ` ${formSource(target)}`).join('')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** An origin, or a scheme: of an application, and where the host is an IPv6 address, which a policy
 *  cannot name. */
function formSource(address: string): string {
  const { origin, protocol, hostname } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}

export function page(site: Site, content: PageContent): PageAnswer {
  return {
    status: content.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(content.formTargets ?? []),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...content.headers,
    },
    cookies: content.cookies ?? [],
    body: document(site, content).text,
  }
}

/** 303, so that the browser requests the page instead of sending the form again. */
export const redirect = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies,
  body: '',
})

/** A problem of a field, or of the whole form. */
export const alertOf = (message: string | undefined): Markup | undefined =>
  message === undefined ? undefined : markup`<p class="alert" role="alert">${message}</p>`
