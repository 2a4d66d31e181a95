// What every page is made of: a request that was read, an answer, and the shell around the content.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { htmlOf, pageHeaders, type Site } from '#http/html/document.tsx'
import { documentOf, type PageContent } from './shell.tsx'

export type { Site }

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

export function page(site: Site, content: PageContent): PageAnswer {
  const { formTargets = [], scripts = false } = content
  return {
    status: content.status ?? 200,
    headers: { ...pageHeaders({ formTargets, scripts }), ...content.headers },
    cookies: content.cookies ?? [],
    body: htmlOf(documentOf(site, content)),
  }
}

/** 303, so that the browser requests the page instead of sending the form again. */
export const redirect = (location: string, cookies: readonly string[] = []): PageAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies,
  body: '',
})
