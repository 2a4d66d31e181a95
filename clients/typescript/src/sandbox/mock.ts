// The in-process sandbox: behaves like the API, including its errors, without a network or key.

import { apiVersion, pageMax } from '../generated/contract.ts'
import { problems, type Route, routes } from '../generated/sandbox.ts'
import type { FieldError } from '../generated/schemas/problems.ts'
import { Svc } from '../sdk.ts'
import { cases } from './cases.ts'
import { endpoints } from './endpoints.ts'
import { files, upload } from './files.ts'
import type { Handlers } from './handlers.ts'
import { patients } from './patients.ts'
import { pharmacy } from './pharmacy.ts'
import { Refusal } from './refusal.ts'
import { Store } from './store.ts'
import { visits } from './visits.ts'

const handlers: Handlers = {
  ...patients,
  ...cases,
  ...pharmacy,
  ...visits,
  ...files,
  ...endpoints,
}

type MatchedRoute = { readonly route: Route; readonly path: Record<string, string> }

/** Static routes come first, so `/v1/visits/slots` doesn't match `/v1/visits/{id}`. */
const ordered = routes.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)

function routeOf(method: string, pathname: string): MatchedRoute | undefined {
  for (const route of ordered) {
    if (route.method !== method) continue
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const found = new RegExp(`^${pattern}$`).exec(pathname)
    if (found) return { route, path: { ...found.groups } }
  }
  return undefined
}

/** Rejects unknown and missing fields. Doesn't validate values. */
function checkFields({ known, required }: Route, given: Readonly<Record<string, unknown>>): void {
  const errors: FieldError[] = [
    ...Object.keys(given)
      .filter(name => !known.includes(name))
      .map(name => ({
        pointer: `#/${name}`,
        code: 'unknown_field',
        message: `${name} must not be present: this request has no such field.`,
      })),
    ...required
      .filter(name => given[name] === undefined)
      .map(name => ({
        pointer: `#/${name}`,
        code: 'required',
        message: `${name} must be present.`,
      })),
  ]
  if (errors.length === 0) return
  const count = errors.length === 1 ? '1 value' : `${errors.length} values`
  const detail = `${count} in the request ${errors.length === 1 ? 'is' : 'are'} not valid.`
  throw new Refusal('invalid_request', { detail, errors })
}

/** One page of a list, after the item named by `starting_after`. */
function pageOf(rows: readonly Record<string, unknown>[], query: Readonly<Record<string, string>>) {
  const limit = Math.min(Number(query['limit'] ?? 20), pageMax)
  const after = query['starting_after'] ?? ''
  const rest = rows.filter(row => String(row['id'] ?? row['medication_id']) > after)
  return { data: rest.slice(0, limit), has_more: rest.length > limit }
}

type StoredResponse = { readonly request: string; readonly status: number; readonly text: string }

class Server {
  readonly #store = new Store()
  readonly #stored = new Map<string, StoredResponse>()

  async answer(request: Request): Promise<Response> {
    const stored = await upload(this.#store, request)
    if (stored) return stored
    const requestId = this.#store.newId('req')
    const headers = new Headers({
      'request-id': requestId,
      'api-version': apiVersion,
      date: new Date(this.#store.next().milliseconds).toUTCString(),
      'content-type': 'application/json',
    })
    try {
      const { status, text, isReplayed } = await this.#perform(request)
      if (isReplayed) headers.set('idempotent-replayed', 'true')
      return new Response(text, { status, headers })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isWrite = request.method !== 'GET'
      const { status, title, detail, hint, writeHint } = problems[error.code]
      headers.set('content-type', 'application/problem+json')
      const body = {
        type: `${new URL(request.url).origin}/problems/${error.code}`,
        title,
        status,
        detail,
        code: error.code,
        request_id: requestId,
        hint: isWrite ? writeHint : hint,
        ...error.fields,
      }
      return new Response(JSON.stringify(body), { status, headers })
    }
  }

  async #perform(request: Request): Promise<StoredResponse & { isReplayed: boolean }> {
    const { pathname, search, searchParams } = new URL(request.url)
    const body = await request.text()
    const key = request.headers.get('idempotency-key')
    const isWrite = request.method !== 'GET'
    if (isWrite && key === null) throw new Refusal('idempotency_key_required')
    const sent = [request.method, pathname, search, body].join('\n')
    const before = isWrite ? this.#stored.get(key ?? '') : undefined
    if (before && before.request !== sent) throw new Refusal('idempotency_key_reused')
    if (before) return { ...before, isReplayed: true }
    const found = routeOf(request.method, pathname)
    const handler = found && handlers[found.route.id]
    if (found === undefined || handler === undefined) {
      const detail = `mockSvc doesn't support ${request.method} ${pathname}.`
      throw new Refusal('not_found', { detail, hint: 'Use a platform sandbox for it.' })
    }
    const query = Object.fromEntries(searchParams)
    const fields = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    checkFields(found.route, isWrite ? fields : query)
    const { id: operation, status } = found.route
    const input = { store: this.#store, operation, path: found.path, query, body: fields }
    const result = handler(input)
    const isList = Array.isArray(result)
    const answered = isList ? pageOf(result as Record<string, unknown>[], query) : result
    const stored = { request: sent, status, text: JSON.stringify(answered) }
    if (isWrite) this.#stored.set(key ?? '', stored)
    return { ...stored, isReplayed: false }
  }
}

/**
 * Creates a client for a new, empty in-process sandbox. The sandbox supports patients, consents,
 * cases, messages, decisions, prescriptions, orders, visits, files, webhook endpoints and events;
 * every other operation fails with `not_found`. The sandbox doesn't deliver webhooks.
 */
export function mockSvc(): Svc {
  const server = new Server()
  return new Svc({
    apiKey: 'svc_sk_test_mock',
    baseUrl: 'http://localhost',
    // The mock key isn't a secret.
    dangerouslyAllowBrowser: true,
    fetch: ((address, init) => server.answer(new Request(address, init))) as typeof fetch,
  })
}
