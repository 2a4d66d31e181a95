// Sends API requests through the library's transport, with retries and one idempotency key for
// every attempt. Errors have the command's exit code.

import { openTransport } from '../../../typescript/src/client.ts'
import {
  APIError,
  causeText,
  ConnectionError,
  isRefusal,
  MismatchedResponseError,
  type SvcError,
  TimeoutError,
} from '../../../typescript/src/errors.ts'
import { List } from '../../../typescript/src/page.ts'
import type { ResponseEvent } from '../../../typescript/src/log.ts'
import type { Settings } from '../../../typescript/src/options.ts'
import { addressOf, headersOf, type Outgoing } from '../../../typescript/src/request.ts'
import { newKey, now } from '../environment.ts'
import { ApiRefusal, CommandError, maybeDone, notTheApi, type Problem, usage } from '../errors.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path template, so --verbose lines contain no IDs. */
  readonly path: string
  /** The IDs in the path, in order. */
  readonly ids?: readonly string[]
  /** The response field that must equal the last of `ids`. */
  readonly echoes?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** The --idempotency-key that safely repeats an interrupted write. */
  readonly commandKey?: string
}

export type Answer = {
  readonly body: unknown
  readonly replayed: boolean
}

export type Page = { readonly data: readonly unknown[]; readonly has_more: boolean }

export type Api = {
  readonly baseUrl: string
  /** The key of the write in progress, to show if the user interrupts it. */
  underWay(): string | undefined
  /** The server's time in milliseconds, because this machine's clock may be wrong. */
  now(): Promise<number>
  call(call: Call): Promise<Answer>
  /** A list's pages, requested on demand. `cursor` is the field that identifies an item. */
  pages(call: Call, cursor: string): AsyncGenerator<Page>
}

export type ApiSettings = {
  readonly baseUrl: string
  readonly version: string
  readonly timeoutMs: number
  readonly organization?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the secret to send, other than `refused` if possible. */
  readonly secret: (refused: string | undefined) => Promise<string>
  /** Called before a write is sent. */
  readonly onWrite?: (method: string, path: string, key: string) => void
  readonly onExchange?: (exchange: ResponseEvent) => void
  /** Called before each pause, with the error that caused it. */
  readonly onPause?: (error: SvcError, milliseconds: number) => void
}

export const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Reports a failed connection. With a key, the request was a write and may have taken effect. */
export function unreachable(url: string, error: unknown, key?: string): CommandError {
  const { origin } = new URL(url)
  const reason = error instanceof TimeoutError ? 'no response in time' : causeText(error)
  const failure = new CommandError(
    'unavailable',
    `couldn't reach ${origin}: ${reason}`,
    'Run `svc doctor`, or set another URL with --base-url or `svc config set base_url`.',
  )
  return maybeDone(failure, key)
}

function failureOf(error: unknown, baseUrl: string, key: string | undefined): unknown {
  if (error instanceof APIError) {
    const { code, status, raw } = error
    const refusal = code === 'unknown' ? notTheApi(status, baseUrl) : new ApiRefusal(raw as Problem)
    return isRefusal(error) || status === 429 ? refusal : maybeDone(refusal, key)
  }
  if (error instanceof MismatchedResponseError) {
    const message = 'the response belongs to another request'
    return maybeDone(new CommandError('unavailable', message, 'A proxy may mix them up.'), key)
  }
  if (error instanceof ConnectionError) return unreachable(baseUrl, error.cause ?? error, key)
  return error
}

/** Reports an invalid path or header as wrong usage. */
function checkRequest(call: Outgoing, settings: Settings): void {
  const options = { ...settings.call, ...call.options }
  try {
    addressOf(settings.baseUrl, call)
    headersOf({ ...call, options }, options.idempotencyKey, {})
  } catch (error) {
    throw usage((error as Error).message)
  }
}

export function openApi(settings: ApiSettings): Api {
  const { baseUrl, version, timeoutMs, organization, headers, secret, onPause } = settings
  let underWay: string | undefined
  const transport = openTransport({
    baseUrl,
    timeout: timeoutMs,
    organization,
    headers,
    accessToken: secret,
    appInfo: { name: 'svc-cli', version },
    logLevel: 'off',
  })
  if (settings.onExchange) transport.shared.log.listen(settings.onExchange)
  transport.shared.log.onPause = onPause

  const outgoing = ({ idempotencyKey = newKey(), ...call }: Call) => {
    if (call.method === 'GET') return { ...call, options: {} }
    settings.onWrite?.(call.method, call.path, idempotencyKey)
    return { ...call, options: { idempotencyKey } }
  }

  async function send<T extends object>(call: ReturnType<typeof outgoing>, key?: string) {
    checkRequest(call, transport.settings)
    return transport.send<T>(call).catch((error: unknown) => {
      throw failureOf(error, baseUrl, key)
    })
  }

  return {
    baseUrl,
    underWay: () => underWay,
    async now() {
      const { shared } = transport
      if (shared.clockOffset === undefined) {
        await send(outgoing({ method: 'GET', path: '/v1/organization' }))
      }
      return now() + (shared.clockOffset ?? 0)
    },
    async call(call) {
      underWay = call.commandKey
      const sent = send<object>(outgoing(call), call.commandKey)
      const { data, replayed } = await sent.finally(() => (underWay = undefined))
      return { body: data, replayed }
    },
    async *pages({ query = {}, ...call }, cursor) {
      const ask = (page: object) =>
        send<{ data: unknown[]; has_more: boolean }>(
          outgoing({ ...call, query: page as Record<string, string> }),
        )
      const first = await new List({ cursor, query, ask })
      yield* first.pages()
    },
  }
}
