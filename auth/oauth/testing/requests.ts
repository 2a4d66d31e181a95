// Sends requests the way clients do.

import { oauthPaths as paths } from '#contract/oauth.ts'
import type { Fixture } from './fixture.ts'
import { redirectUri } from './fixture.ts'

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

export type Form = Record<string, string | readonly string[]>

type Send = { headers?: Record<string, string>; issuer?: string }

/** Posts a form and reads the JSON response. */
export async function post(
  { issuer }: Pick<Fixture, 'issuer'>,
  path: string,
  form: Form,
  { headers = {} }: Send = {},
): Promise<Answer> {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    for (const one of [value].flat()) body.append(name, one)
  }
  return read(await fetch(`${issuer}${path}`, { method: 'POST', body, headers }))
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : { text }
  return { status: response.status, headers: response.headers, body }
}

export const tokenFor = (fixture: Fixture, form: Form, send?: Send) =>
  post(fixture, paths.token, form, send)

/** The parts of a refusal that tests compare. */
export const refused = ({ status, body }: Answer) => [status, body['error']]

type ClientOptions = Parameters<Fixture['addClient']>[0]

/** A confidential client that gets tokens with its secret and any extra form fields. */
export async function newClient(fixture: Fixture, options: ClientOptions = {}) {
  const client = await fixture.addClient(options)
  const credentials = { client_id: client.id, client_secret: client.secret }
  const mint = (form: Form = {}) =>
    tokenFor(fixture, { grant_type: 'client_credentials', ...credentials, ...form })
  return { ...client, mint }
}

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

export const register = async (fixture: Fixture, metadata: unknown = {}, send: Send = {}) =>
  read(
    await fetch(`${fixture.issuer}${paths.registration}`, {
      method: 'POST',
      body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
      headers: { 'content-type': 'application/json', ...send.headers },
    }),
  )

/** Registers an agent, and returns its ID. */
export async function newAgent(fixture: Fixture, metadata: object = {}): Promise<string> {
  const { status, body } = await register(fixture, {
    redirect_uris: [redirectUri],
    client_name: 'An agent',
    grant_types: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    ...metadata,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return String(body['client_id'])
}
