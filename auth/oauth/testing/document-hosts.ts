// Hosts for client documents, for tests: HTTPS servers on this machine, whose names resolve as
// each test specifies.
import ipaddr from 'ipaddr.js'
import { authority, openReceiver } from '#http/testing/receiver.ts'
import { sql } from '#database/sql.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import { authorizeUrl, newVerifier, openBrowser } from './agent.ts'
import { type Fixture, redirectUri } from './fixture.ts'

export const names = new Map([['a.receiver.example', ['127.0.0.1']]])
export const resolver = { answer: (host: string) => names.get(host) }

export const toDocumentHosts: Outgoing = {
  addresses: {
    resolve: async host => resolver.answer(host) ?? Promise.reject(new Error('NXDOMAIN')),
    allowed: [[ipaddr.parse('127.0.0.1'), 32]],
  },
  ca: authority.cert,
  // Long enough even on a busy machine. The default is five seconds.
  seconds: 60,
}

export type Document = Record<string, unknown>
export const documentOf = (url: string, more: Document = {}): Document => ({
  client_id: url,
  client_name: 'An editor',
  redirect_uris: [redirectUri],
  ...more,
})
export const json = (body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    headers: { 'content-type': 'application/json', ...headers },
  })

let hosts = 0

/** A host with one document, which `answer` creates for its URL. */
export function openHost(
  answer: (url: string) => Response | Promise<Response> = url => json(documentOf(url)),
) {
  const made = { answer }
  const receiver = openReceiver(({ path }) => made.answer(receiver.url(path)))
  // A port may be reused for another document.
  const url = receiver.url(`/client-${++hosts}.json`)
  return { made, url, received: receiver.received, [Symbol.asyncDispose]: () => receiver.stop() }
}

/** A browser's response when it starts to authorize this client. */
export async function asked(fixture: Fixture, clientId: string) {
  const response = await openBrowser(fixture).get(authorizeUrl(clientId, newVerifier()))
  const to = response.headers.get('location') ?? ''
  return { status: response.status, to, text: await response.text() }
}
export const rowOf = async (fixture: Fixture, url: string) =>
  (
    await fixture.run<{ id: string; name: string; seconds: number; document_host: string }>(sql`
      select id, name, document_host,
             round(extract(epoch from document_expires_at - clock_timestamp()))::int as seconds
        from auth.clients where document_url = ${url}`)
  )[0]
