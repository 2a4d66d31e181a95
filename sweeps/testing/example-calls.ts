// Sends an operation's request over HTTP as the OpenAPI document describes it, plus any faults that
// a test adds.

import { type CallableId, callable } from '#contract/callable.ts'
import { nounOf } from '#contract/derive/names.ts'
import { prefixes } from '#contract/ids.ts'
import { isWrite } from '#contract/operation.ts'
import type { CallOptions } from '#clinical/testing/call.ts'
import type { openTestGateway } from '#gateway/testing/gateway.ts'

export type EndpointRouter = Awaited<ReturnType<typeof openTestGateway>>

export type ExampleCall = CallOptions & {
  /** The body as raw text, instead of `body` as JSON. */
  text?: string
  /** The body's Content-Type. */
  type?: string
}

/** A well-formed ID that no resource has. */
const unusedId = (path: string, name: string): string =>
  `${prefixes[nounOf(path, name)]}_01m7wqrwr07q7txy3ntfjc6jem`

let keys = 0

type Init = RequestInit & { as?: string | null; headers: Headers }

export function send(
  gateway: EndpointRouter,
  id: CallableId,
  sent: ExampleCall,
): Promise<Response> {
  const { path, init } = httpCallOf(id, sent)
  gateway.at(sent.at)
  return gateway.call(path, init)
}

/** The HTTP request of an operation's call. */
export function httpCallOf(id: CallableId, sent: ExampleCall): { path: string; init: Init } {
  const row = callable[id]
  const query = new URLSearchParams(sent.query ?? '').toString()
  const ids = sent.id === undefined ? [] : [sent.id]
  const path = row.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => sent.names?.[name] ?? ids.shift() ?? unusedId(row.path, name),
  )
  const headers = new Headers()
  const init: Init = { method: row.method, headers }
  if (sent.as !== undefined) init.as = sent.as
  if (sent.address !== undefined) headers.set('x-forwarded-for', sent.address)
  if (sent.organization !== undefined) headers.set('service-organization', sent.organization)
  if (isWrite(row)) {
    const key = sent.key === undefined ? `example-${keys++}` : sent.key
    if (key !== null) headers.set('idempotency-key', key)
    headers.set('content-type', sent.type ?? 'application/json')
    init.body = sent.text ?? JSON.stringify(sent.body ?? {})
  }
  return { path: `${path}${query === '' ? '' : `?${query}`}`, init }
}
