// The options of a client and of a single call.

import {
  defaultBaseUrl,
  environmentPrefix,
  maxRetries,
  timeoutSeconds,
} from './generated/contract.ts'
import { environment, isBrowser } from './runtime.ts'

export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** What `console` has, too. */
export type Logger = { [L in Exclude<LogLevel, 'off'>]: (line: string) => void }

type Secret = string | (() => string | Promise<string>)

export type ClientOptions = {
  /** An API key, or what answers one. Default: `SVC_API_KEY`, read at the first request. */
  apiKey?: Secret | undefined
  /** Client credentials, in place of a key. Default: `SVC_CLIENT_ID` and `SVC_CLIENT_SECRET`. */
  clientId?: string | undefined
  clientSecret?: Secret | undefined
  /** An access token of any other grant, asked for at each request. */
  accessToken?: Secret | undefined
  /** The authorization server. Default: the one that the API names. */
  authUrl?: string | undefined
  /** The clinic to act for, when several have granted access. */
  organization?: string | undefined
  /** Default: the version that this package was made for. */
  apiVersion?: string | undefined
  /** Default: `SVC_BASE_URL`. `http://` is for this machine only. */
  baseUrl?: string | undefined
  /** Attempts after the first one; 0 turns retries off. Default: 2. */
  maxRetries?: number | undefined
  /** Milliseconds for each attempt. Default: 30,000. */
  timeout?: number | undefined
  /** In place of the global `fetch`, for proxies and tests. */
  fetch?: typeof fetch | undefined
  /** In place of the global `WebSocket`, which Node 20 does not have. */
  WebSocket?: typeof WebSocket | undefined
  /** For `webhooks.unwrap`; several while one is being replaced. Default: `SVC_WEBHOOK_SECRET`. */
  webhookSecret?: string | readonly string[] | undefined
  /** Default: none. Bodies, queries and ids are logged at no level. */
  logger?: Logger | undefined
  logLevel?: LogLevel | undefined
  /** Your program, for the User-Agent. */
  appInfo?: { name: string; version?: string; url?: string } | undefined
  /** Refuses a credential of the other mode before anything is sent. */
  expectMode?: 'test' | 'live' | undefined
  /** A key in a browser can be read by everyone who opens the page. */
  dangerouslyAllowBrowser?: boolean | undefined
}

export type CallOptions = {
  /** The clinic to act for in this call. */
  organization?: string | undefined
  /** Milliseconds for each attempt. */
  timeout?: number | undefined
  maxRetries?: number | undefined
  /** Ends the call, also between attempts. */
  signal?: AbortSignal | undefined
}

export type WriteOptions = CallOptions & {
  /** Default: a new key for the call, the same on each attempt. */
  idempotencyKey?: string | undefined
}

export type DownloadOptions = CallOptions & {
  /** The ETag of an earlier download: the answer is 304 when nothing has changed. */
  ifNoneMatch?: string | undefined
}

export type Settings = {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly maxRetries: number
  readonly timeout: number
}

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/

/** Checked when the client is made. Nothing secret is read yet. */
export function settingsOf(options: ClientOptions): Settings {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new TypeError(
      'A key in a browser can be read by everyone who opens the page. Call the API from your ' +
        'server; dangerouslyAllowBrowser: true is for pages that only you open.',
    )
  }
  return {
    baseUrl: checkedUrl(
      options.baseUrl ?? environment(`${environmentPrefix}_BASE_URL`) ?? defaultBaseUrl,
      'baseUrl',
    ),
    // Workers refuse a fetch that is called as a method.
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    maxRetries: options.maxRetries ?? maxRetries,
    timeout: options.timeout ?? timeoutSeconds * 1000,
  } as Settings
}

/** Without a slash at its end. */
export function checkedUrl(text: string, name: string): string {
  if (!URL.canParse(text)) throw new TypeError(`${name} must be a URL, and "${text}" is none`)
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname))) {
    throw new TypeError(`${name} must begin with https://; http:// is for this machine only`)
  }
  return text.replace(/\/+$/, '')
}
