// Options for a client and for a single call.

import {
  defaultBaseUrl,
  environmentPrefix,
  maxRetries,
  timeoutSeconds,
} from './generated/contract.ts'
import { fetchThrough, proxyFor } from './network/network.ts'
import { elapsed, environment, isBrowser, isLoopback } from './runtime.ts'

export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** A logger, such as `console`. */
export type Logger = { [L in Exclude<LogLevel, 'off'>]: (line: string) => void }

/** A secret, or a function that returns one. After a 401, the function receives the refused
 *  secret. */
type Secret = string | ((refused?: string) => string | Promise<string>)

/** Wraps each attempt. Returns `next(request)` or a response of its own. */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>

export type ClientOptions = {
  /** An API key, or a function that returns one. Default: `SVC_API_KEY`, read at the first
   *  request. */
  apiKey?: Secret | undefined
  /** Client credentials, instead of an API key. Default: `SVC_CLIENT_ID` and
   *  `SVC_CLIENT_SECRET`. */
  clientId?: string | undefined
  clientSecret?: Secret | undefined
  /** An access token from any other grant, or a function that returns one for each request. */
  accessToken?: Secret | undefined
  /** The authorization server's URL. Default: the server in the API's metadata. */
  authUrl?: string | undefined
  /** The clinic to act for, if several have granted access. */
  organization?: string | undefined
  /** Default: the version this package was built for. */
  apiVersion?: string | undefined
  /** Default: `SVC_BASE_URL`. `http://` works only for this machine. */
  baseUrl?: string | undefined
  /** Attempts after the first one; 0 turns retries off. Default: 2. */
  maxRetries?: number | undefined
  /** Milliseconds for each attempt; 0 means no limit. Default: 30,000. */
  timeout?: number | undefined
  /** Milliseconds for a whole call, including every attempt and pause. Default: none. */
  totalTimeout?: number | undefined
  /** Additional headers for every request, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** `http://user:password@host:port`, or false to disable. Default: `HTTPS_PROXY` and
   *  `NO_PROXY`. */
  proxy?: string | false | undefined
  middleware?: Middleware | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Replaces the global `WebSocket`, which Node 20 doesn't have. */
  WebSocket?: typeof WebSocket | undefined
  /** The webhook signing secret; a list during a rotation. Default: `SVC_WEBHOOK_SECRET`. */
  webhookSecret?: string | readonly string[] | undefined
  /** Default: none. No level logs bodies, queries or IDs. */
  logger?: Logger | undefined
  logLevel?: LogLevel | undefined
  /** Your program's name and version, added to the User-Agent. */
  appInfo?: { name: string; version?: string; url?: string } | undefined
  /** Rejects a credential for the other mode before sending anything. */
  expectMode?: 'test' | 'live' | undefined
  /** Allows a key in a browser, where anyone who opens the page can read it. */
  dangerouslyAllowBrowser?: boolean | undefined
}

export type CallOptions = {
  /** The clinic to act for in this call. */
  organization?: string | undefined
  /** Milliseconds for each attempt; 0 means no limit. */
  timeout?: number | undefined
  /** Milliseconds for the whole call, including every attempt and pause; 0 means no limit. */
  totalTimeout?: number | undefined
  maxRetries?: number | undefined
  /** Additional headers, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Aborts the call, even between attempts or while a body is being read. */
  signal?: AbortSignal | undefined
}

export type WriteOptions = CallOptions & {
  /** Default: a new key for each call. Every attempt of a call uses the same key. */
  idempotencyKey?: string | undefined
}

export type DownloadOptions = CallOptions & {
  /** An earlier download's ETag. The response is 304 if nothing has changed since. */
  ifNoneMatch?: string | undefined
}

export type Settings = {
  readonly baseUrl: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The default options for calls. */
  readonly call: CallOptions
}

const ofCall = ['organization', 'timeout', 'totalTimeout', 'maxRetries', 'headers'] as const
const known: readonly string[] = [
  ...ofCall,
  ...(
    'apiKey clientId clientSecret accessToken authUrl apiVersion baseUrl proxy middleware fetch ' +
    'WebSocket webhookSecret logger logLevel appInfo expectMode dangerouslyAllowBrowser'
  ).split(' '),
]
const knownOfCall: readonly string[] = [...ofCall, 'signal', 'idempotencyKey', 'ifNoneMatch']

function checked<O extends CallOptions>(options: O, names: readonly string[]): O {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new TypeError(`Unknown option: ${name}`)
  }
  for (const name of ['timeout', 'totalTimeout', 'maxRetries'] as const) {
    const value: unknown = options[name]
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw new TypeError(`${name} must be 0 or greater`)
  }
  return options
}

export const checkedCall = (options: WriteOptions = {}): WriteOptions =>
  checked(options, knownOfCall)

/** The client's options, overridden by the call's own. */
export function merged(own: WriteOptions, client: CallOptions): WriteOptions {
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  return {
    ...client,
    ...(Object.fromEntries(given) as WriteOptions),
    headers: { ...client.headers, ...own.headers },
  }
}

/** Divides a total timeout among several requests: each call returns options with the time left. */
export function remainingOf(own: WriteOptions, client: CallOptions): () => WriteOptions {
  const total = own.totalTimeout ?? client.totalTimeout ?? 0
  const ends = elapsed() + total
  return () => (total > 0 ? { ...own, totalTimeout: Math.max(1, ends - elapsed()) } : own)
}

/** Checks a client's options and applies defaults. Doesn't read any secrets. */
export function settingsOf(options: ClientOptions): Settings {
  checked(options, known)
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new TypeError(
      'Anyone who opens the page can read a key in the browser. Call the API from your ' +
        'server. dangerouslyAllowBrowser: true is for pages that only you open.',
    )
  }
  const { timeout = timeoutSeconds * 1000, organization, totalTimeout, headers } = options
  return {
    baseUrl: checkedUrl(
      options.baseUrl ?? environment(`${environmentPrefix}_BASE_URL`) ?? defaultBaseUrl,
      'baseUrl',
    ).replace(/\/v1$/, ''),
    fetch: fetchOf(options),
    call: {
      organization,
      timeout,
      totalTimeout,
      maxRetries: options.maxRetries ?? maxRetries,
      headers,
    },
  }
}

function fetchOf({ fetch: given, proxy: setting, middleware }: ClientOptions): Settings['fetch'] {
  const send = async (input: string | Request, init?: RequestInit) => {
    // Browsers and Workers throw if fetch is called as a method.
    if (given) return given(input, init)
    const proxy = proxyFor(typeof input === 'string' ? input : input.url, setting)
    return proxy ? fetchThrough(proxy, input, init) : fetch(input, init)
  }
  return middleware ? (url, init) => middleware(new Request(url, init), send) : send
}

/** Checks a URL and removes trailing slashes. */
export function checkedUrl(text: string, name: string): string {
  if (!URL.canParse(text)) throw new TypeError(`${name} must be a URL, not "${text}"`)
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new TypeError(`${name} must start with https://; http:// works only for this machine`)
  }
  return text.replace(/\/+$/, '')
}
