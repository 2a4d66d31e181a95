// An agent and a person's browser over HTTP, from the authorization request to tokens.

import { createHash } from 'node:crypto'
import { randomBytes } from '#database/clock.ts'
import { oauthPaths as paths } from '#contract/oauth.ts'
import { type Fixture, redirectUri } from './fixture.ts'
import { type Answer, type Form, newAgent, tokenFor } from './requests.ts'

export const newVerifier = () => Buffer.from(randomBytes(32)).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** A browser that keeps cookies by path, and doesn't follow redirects on its own. */
export function openBrowser({ issuer }: Pick<Fixture, 'issuer'>) {
  const cookies = new Map<string, { path: string; value: string }>()
  return {
    cookies,
    async get(url: string): Promise<Response> {
      const { pathname } = new URL(url, issuer)
      const sent = [...cookies]
        .filter(([, { path, value }]) => value !== '' && pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
      const response = await fetch(new URL(url, issuer), {
        redirect: 'manual',
        headers: { cookie: sent.join('; '), accept: 'text/html' },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' })
      }
      return response
    },
  }
}

export type AuthorizationOptions = {
  client?: string
  verifier?: string
  params?: Record<string, string | readonly string[] | undefined>
  decide?: 'approve' | 'deny'
  person?: string
  integration?: string
}

export const authorizeUrl = (
  client: string,
  verifier: string,
  params: AuthorizationOptions['params'] = {},
) => {
  const all = {
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'the state',
    ...params,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) {
    for (const one of [value ?? []].flat()) query.append(name, one)
  }
  return `${paths.authorization}?${query}`
}

/** Authorizes an agent. Returns the redirect URI's query, which the browser sends to the agent. */
export async function authorize(fixture: Fixture, asked: AuthorizationOptions = {}) {
  const { decide = 'approve', person = fixture.people.owner } = asked
  const { verifier = newVerifier(), integration = fixture.integration } = asked
  const client = asked.client ?? (await newAgent(fixture))
  const browser = openBrowser(fixture)
  const started = await browser.get(authorizeUrl(client, verifier, asked.params))
  const page = started.headers.get('location') ?? ''
  if (!page.startsWith('/consent/')) {
    return { client, verifier, browser, response: started, query: queryOf(page) }
  }
  const decision = new URLSearchParams({ decide, person, integration })
  const decided = await browser.get(`${page}?${decision}`)
  const resume = decided.headers.get('location')
  if (resume === null) return { client, verifier, browser, response: decided, query: null }
  const response = await browser.get(resume)
  const location = response.headers.get('location') ?? ''
  return { client, verifier, browser, response, query: queryOf(location), resume }
}

const queryOf = (location: string) =>
  /[?#]/.test(location)
    ? Object.fromEntries(new URL(location.replace('#', '?'), 'http://none').searchParams)
    : null

export const exchange = (
  fixture: Fixture,
  { client, verifier, code, ...form }: { client: string; verifier: string; code: string } & Form,
): Promise<Answer> =>
  tokenFor(fixture, {
    grant_type: 'authorization_code',
    client_id: client,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code,
    ...form,
  })

/** Gets tokens for an agent that a person approved. */
export async function agentTokens(
  fixture: Fixture,
  asked: AuthorizationOptions = {},
  form: Form = {},
) {
  const { client, verifier, query } = await authorize(fixture, asked)
  const code = query?.['code'] ?? ''
  const answer = await exchange(fixture, { client, verifier, code, ...form })
  const { access_token: access, refresh_token: refresh } = answer.body
  return { client, verifier, code, answer, access: String(access), refresh: String(refresh) }
}

export const refreshWith = (fixture: Fixture, client: string, token: string, form: Form = {}) =>
  tokenFor(fixture, {
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: token,
    ...form,
  })
