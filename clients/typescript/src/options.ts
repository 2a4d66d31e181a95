// A client's options and a single call's.

import {
  defaultBaseUrl,
  environmentPrefix,
  maxRetries,
  timeoutSeconds,
} from './generated/contract.ts'
import { fetchThrough, proxyFor } from './network/network.ts'
import { elapsed, environment, isBrowser, isLoopback } from './runtime.ts'

export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** Methods that `console` also has. */
export type Logger = { [L in Exclude<LogLevel, 'off'>]: (line: string) => void }

/** A function is also called after a refusal, with the refused secret. */
type Secret = string | ((refused?: string) => string | Promise<string>)

/** A function around each attempt; it returns `next(request)`, or its own response. */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>

export type ClientOptions = {
  /** An API key, or a function that returns one. Default: `SVC_API_KEY`, read at the first
   *  request. */
  apiKey?: Secret | undefined
  /** Client credentials, instead of a key. Default: `SVC_CLIENT_ID` and `SVC_CLIENT_SECRET`. */
  clientId?: string | undefined
  clientSecret?: Secret | undefined
  /** An access token from any other grant, or a function that returns one for each request. */
  accessToken?: Secret | undefined
  /** The authorization server. Default: the one that the API names. */
  authUrl?: string | undefined
  /** The clinic to act for, if several have granted access. */
  organization?: string | undefined
  /** Default: the version that this package was built for. */
  apiVersion?: string | undefined
  /** Default: `SVC_BASE_URL`. `http://` is for this machine only. */
  baseUrl?: string | undefined
  /** Attempts after the first one; 0 turns retries off. Default: 2. */
  maxRetries?: number | undefined
  /** Milliseconds for each attempt; 0 means no limit. Default: 30,000. */
  timeout?: number | undefined
  /** Milliseconds for a whole call, including every attempt and pause. Default: none. */
  totalTimeout?: number | undefined
  /** Additional headers for every request, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** `http://user:password@host:port`, or false for none. Default: `HTTPS_PROXY` and `NO_PROXY`. */
  proxy?: string | false | undefined
  middleware?: Middleware | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Replaces the global `WebSocket`, which Node 20 doesn't have. */
  WebSocket?: typeof WebSocket | undefined
  /** For `webhooks.unwrap`; several during a rotation. Default: `SVC_WEBHOOK_SECRET`. */
  webhookSecret?: string | readonly string[] | undefined
  /** Default: none. No level logs bodies, queries or ids. */
  logger?: Logger | undefined
  logLevel?: LogLevel | undefined
  /** Your program, for the User-Agent. */
  appInfo?: { name: string; version?: string; url?: string } | undefined
  /** Refuses a credential for the other mode before sending anything. */
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
  /** Default: a new key for the call, the same on each attempt. */
  idempotencyKey?: string | undefined
}

export type DownloadOptions = CallOptions & {
  /** An earlier download's ETag: the response is 304 if nothing has changed. */
  ifNoneMatch?: string | undefined
}

export type Settings = {
  readonly baseUrl: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** A call's default options. */
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

/** A call's options, merged over its client's. */
export function merged(own: WriteOptions, client: CallOptions): WriteOptions {
  const given = Object.entries(own).filter(([, value]) => value !== undefined)
  return {
    ...client,
    ...(Object.fromEntries(given) as WriteOptions),
    headers: { ...client.headers, ...own.headers },
  }
}

/** The options for each part of a call, with the remaining time. */
export function remainingOf(own: WriteOptions, client: CallOptions): () => WriteOptions {
  const total = own.totalTimeout ?? client.totalTimeout ?? 0
  const ends = elapsed() + total
  return () => (total > 0 ? { ...own, totalTimeout: Math.max(1, ends - elapsed()) } : own)
}

/** Checked when the client is created. Nothing secret is read yet. */
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
    // Browsers and Workers refuse a fetch that is called as a method.
    if (given) return given(input, init)
    const proxy = proxyFor(typeof input === 'string' ? input : input.url, setting)
    return proxy ? fetchThrough(proxy, input, init) : fetch(input, init)
  }
  return middleware ? (url, init) => middleware(new Request(url, init), send) : send
}

/** Removes trailing slashes. */
export function checkedUrl(text: string, name: string): string {
  if (!URL.canParse(text)) throw new TypeError(`${name} must be a URL, not "${text}"`)
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
    throw new TypeError(`${name} must start with https://; http:// works only for this machine`)
  }
  return text.replace(/\/+$/, '')
}
