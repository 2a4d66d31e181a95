// A client's credential: an API key, an access token from another grant, or client credentials,
// whose token is cached until shortly before it expires. Tokens are requested on first use.

import { failed } from './attempts.ts'
import { Deadline } from './deadline.ts'
import { ConnectionError, SvcError, TokenError } from './errors.ts'
import {
  environmentPrefix,
  metadataPath,
  retriedStatuses,
  slug,
  tokenPath,
  tokenRenewalSeconds,
} from './generated/contract.ts'
import { type ClientOptions, checkedUrl, type Settings } from './options.ts'
import { environment, now } from './runtime.ts'

export type Mode = 'test' | 'live'

type Token = { readonly text: string; readonly endsAt: number }

/** The mode in the prefix of a key or access token. */
export function modeOf(credential: string): Mode | undefined {
  const mode = new RegExp(`^${slug}_(?:sk|at)_(test|live)_`).exec(credential)?.[1]
  return mode as Mode | undefined
}

/** Whether the text is nonempty visible ASCII. */
export const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const variable = (name: string) => `${environmentPrefix}_${name}`

export class Credentials {
  readonly #options: ClientOptions
  readonly #settings: Settings
  #token: Promise<Token> | undefined
  #mode: Mode | undefined

  constructor(options: ClientOptions, settings: Settings) {
    this.#options = options
    this.#settings = settings
    const given = [
      ...(options.apiKey === undefined ? [] : ['apiKey']),
      ...(options.clientId === undefined ? [] : ['clientId']),
      ...(options.accessToken === undefined ? [] : ['accessToken']),
    ]
    if (given.length > 1) throw new TypeError(`Pass ${given.join(' or ')}, not both.`)
    if ((options.clientId === undefined) !== (options.clientSecret === undefined)) {
      throw new TypeError('Pass clientId and clientSecret together.')
    }
    for (const secret of [options.apiKey, options.accessToken]) {
      if (typeof secret === 'string') this.#check(secret)
    }
  }

  /** The credential's mode. Undefined before the first request for a function or client
   *  credentials. */
  get mode(): Mode | undefined {
    const { apiKey, accessToken, clientId } = this.#options
    const secret = apiKey ?? accessToken
    if (typeof secret === 'string') return modeOf(secret)
    const key = environment(variable('API_KEY'))
    const isFromEnvironment = secret === undefined && clientId === undefined && key !== undefined
    return isFromEnvironment ? modeOf(key) : this.#mode
  }

  /** The token to send after `Bearer`. Requests a new token if the current token is `refused`. */
  async bearer(refused?: string): Promise<string> {
    return this.#check(await this.#secret(refused))
  }

  async #secret(refused: string | undefined): Promise<string> {
    const { apiKey, accessToken, clientId, clientSecret } = this.#options
    const secret = apiKey ?? accessToken
    if (secret !== undefined) return typeof secret === 'string' ? secret : secret(refused)
    const id = clientId ?? environment(variable('CLIENT_ID'))
    const key = environment(variable('API_KEY'))
    if (clientId === undefined && key !== undefined && id !== undefined) {
      throw new TypeError(`Set ${variable('API_KEY')} or ${variable('CLIENT_ID')}, not both.`)
    }
    if (clientId === undefined && key !== undefined) return key
    const asked = clientSecret ?? environment(variable('CLIENT_SECRET'))
    if (id === undefined || asked === undefined) {
      throw new TypeError(
        `No credential: pass apiKey, or set ${variable('API_KEY')}. ` +
          `For client credentials set ${variable('CLIENT_ID')} and ${variable('CLIENT_SECRET')}.`,
      )
    }
    return this.#accessToken(id, typeof asked === 'string' ? asked : await asked(), refused)
  }

  #check(secret: string): string {
    const { expectMode } = this.#options
    // The runtime's own error would include the secret.
    if (!isHeaderText(secret)) {
      throw new TypeError('The credential is empty, or has characters not allowed in a header.')
    }
    this.#mode = modeOf(secret) ?? this.#mode
    if (expectMode === undefined || modeOf(secret) === expectMode) return secret
    const found = modeOf(secret)
    throw new TypeError(
      `expectMode is ${expectMode}, but the credential ${found ? `is for ${found} mode` : 'has no known mode'}. ` +
        'Nothing was sent.',
    )
  }

  /** Concurrent calls share one token request. */
  async #accessToken(id: string, secret: string, refused: string | undefined): Promise<string> {
    const asked = (this.#token ??= this.#askForToken(id, secret))
    const isGood = ({ text, endsAt }: Token) => endsAt > now() && text !== refused
    try {
      const token = await asked
      if (isGood(token)) return token.text
    } catch (error) {
      if (this.#token === asked) this.#token = undefined
      throw error
    }
    // Another call may already have requested a new token.
    if (this.#token === asked) this.#token = this.#askForToken(id, secret)
    return (await (this.#token ?? asked)).text
  }

  async #askForToken(id: string, secret: string): Promise<Token> {
    const encoded = [id, secret].map(encodeURIComponent).join(':')
    const { status, headers, answer } = await this.#ask(
      'POST',
      (await this.#authUrl()) + tokenPath,
      {
        headers: {
          authorization: `Basic ${btoa(encoded)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
    )
    const { access_token: text, expires_in: seconds, error } = answer
    if (typeof text !== 'string') {
      const said = 'The authorization server returned no token'
      const { error_description: detail } = answer
      throw new TokenError({
        status,
        headers,
        problem: {
          code: typeof error === 'string' ? error : 'unknown',
          detail: typeof detail === 'string' ? detail : said,
          hint: 'Check clientId and clientSecret.',
        },
        retryAfter: undefined,
        call: { method: 'POST', path: tokenPath, attempts: 1 },
      })
    }
    const lasting = typeof seconds === 'number' ? seconds : 0
    return { text, endsAt: now() + Math.max(lasting - tokenRenewalSeconds, lasting / 2) * 1000 }
  }

  /** Treats a retryable status as a failed connection, so the API call is retried. */
  async #ask(method: string, url: string, init: RequestInit = {}) {
    const { fetch, call: options } = this.#settings
    const call = { method, path: new URL(url).pathname, attempts: 1 }
    const deadline = new Deadline({ timeout: options.timeout })
    try {
      const response = await fetch(url, { ...init, method, signal: deadline.begin() })
      const answer = membersOf(await response.text())
      const { status, headers } = response
      if (!retriedStatuses.includes(status)) return { status, headers, answer }
      throw new ConnectionError(`no token: the server responded with ${status}:`, call)
    } catch (error) {
      throw error instanceof SvcError ? error : failed(error, deadline, call)
    } finally {
      deadline.end()
    }
  }

  /** The configured authorization server, or the one in the API's metadata (RFC 9728). */
  async #authUrl(): Promise<string> {
    const given = this.#options.authUrl ?? environment(variable('AUTH_URL'))
    if (given !== undefined) return checkedUrl(given, 'authUrl')
    const { baseUrl } = this.#settings
    const { answer } = await this.#ask('GET', baseUrl + metadataPath)
    const [server] = (answer['authorization_servers'] ?? []) as unknown[]
    if (typeof server === 'string') return checkedUrl(server, 'authorization_servers')
    throw new SvcError(`${baseUrl} doesn't name an authorization server; set authUrl.`)
  }
}

/** Returns an empty object if the text isn't a JSON object. */
function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}
