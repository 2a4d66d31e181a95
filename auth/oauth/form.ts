// Reads a request's body before the library does, so every endpoint has the same rules for size,
// format and repeated parameters.

import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { formBytesMax, readNodeForm } from '#http/html/form.ts'
import { readNodeBytes } from '#http/read-bytes.ts'
import { scopesOf } from './families.ts'
import { OAuthRefusal } from './refuse.ts'

export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const bytes = await readNodeBytes(request, bytesMax)
  if (bytes === 'too large') throw tooLarge(bytesMax)
  return bytes.toString('utf8')
}

const tooLarge = (bytesMax: number) =>
  new OAuthRefusal('invalid_request', `the body must not exceed ${bytesMax} bytes`, {
    status: 413,
    headers: { connection: 'close' },
  })

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const form = await readNodeForm(request)
  if (form === 'too large') throw tooLarge(formBytesMax)
  if (form === 'no form') {
    throw new OAuthRefusal('invalid_request', 'the body must be application/x-www-form-urlencoded')
  }
  checkParameters(form)
  return form
}

/** OpenID parameters. This server doesn't support OpenID, so they do nothing. */
const ignored = new Set(['nonce', 'max_age', 'acr_values', 'claims', 'claims_locales'])
const prompts = new Set(['login', 'consent', 'select_account'])

/** Removes parameters that count as absent: parameters without a value (RFC 6749, 3.1 and 3.2),
 *  OpenID's parameters, and the scope `offline_access`, because every person's grant has a refresh
 *  token. */
function leaveOut(given: URLSearchParams): void {
  // Every person has to sign in and decide anyway.
  const isAbsent = (name: string, value: string) =>
    value === '' || ignored.has(name) || (name === 'prompt' && prompts.has(value))
  const kept = [...given].filter(([name, value]) => !isAbsent(name, value))
  const scope = given.get('scope') ?? ''
  if (kept.length === given.size && !scope.includes('offline_access')) return
  for (const name of new Set(given.keys())) given.delete(name)
  for (const [name, value] of kept) given.append(name, value)
  const scopes = scopesOf(scope).filter(each => each !== 'offline_access')
  if (scopes.length === 0) given.delete('scope')
  else if (given.getAll('scope').length === 1) given.set('scope', scopes.join(' '))
}

/** Only `resource` may be repeated (RFC 6749, 3.2, and RFC 8707, 2). */
export function checkParameters(given: URLSearchParams): void {
  leaveOut(given)
  const names = [...given.keys()]
  const repeated = names.find((name, at) => name !== 'resource' && names.indexOf(name) !== at)
  if (repeated !== undefined) {
    throw new OAuthRefusal('invalid_request', 'a parameter must not be repeated')
  }
  for (const [name, value] of given) {
    if (`${name}${value}`.includes('\0')) {
      throw new OAuthRefusal('invalid_request', 'a parameter must not contain a NUL character')
    }
  }
}

/** The request with its body readable again, for the library. */
export function withForm(request: IncomingMessage, form: URLSearchParams): IncomingMessage {
  const body = Buffer.from(form.toString())
  const { method, url, httpVersion, socket } = request
  const headers = { ...request.headers, 'content-length': String(body.length) }
  delete headers['transfer-encoding']
  return Object.assign(Readable.from([body], { objectMode: false }), {
    method,
    url,
    httpVersion,
    socket,
    headers,
  }) as unknown as IncomingMessage
}
