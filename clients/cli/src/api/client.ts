// A call of the API, by the transport of the library: its retries, and an idempotency key that
// stays the same on each attempt. What it throws here has the exit code of the command.

import { Credentials } from '../../../typescript/src/credentials.ts'
import {
  APIError,
  causeCode,
  ConnectionError,
  TimeoutError,
} from '../../../typescript/src/errors.ts'
import { List } from '../../../typescript/src/page.ts'
import { Log, type ResponseEvent } from '../../../typescript/src/log.ts'
import { type ClientOptions, settingsOf } from '../../../typescript/src/options.ts'
import { Transport } from '../../../typescript/src/transport.ts'
import { newKey } from '../environment.ts'
import { ApiRefusal, CommandError, notTheApi, type Problem } from '../errors.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the contract writes it: the lines of --verbose hold no id. */
  readonly path: string
  /** The ids in the path, by their names. */
  readonly ids?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** What --idempotency-key takes to give the command again: of a write that was cut. */
  readonly commandKey?: string
}

export type Answer = {
  readonly body: unknown
  readonly replayed: boolean
}

export type Page = { readonly data: readonly unknown[]; readonly has_more: boolean }

export type Api = {
  readonly baseUrl: string
  call(call: Call): Promise<Answer>
  /** The pages of a list, each asked for when it is wanted. `cursor`: what names an item. */
  pages(call: Call, cursor: string): AsyncGenerator<Page>
}

export type ApiSettings = {
  readonly baseUrl: string
  readonly version: string
  readonly timeoutMs: number
  readonly organization?: string
  /** The secret to send: another one than `refused`, where there may be another. */
  readonly secret: (refused: string | undefined) => Promise<string>
  readonly onExchange?: (exchange: ResponseEvent) => void
}

export const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ConnectionRefused: 'nothing listens there',
  UND_ERR_SOCKET: 'it closed the connection',
}

/** The connection failed, in words that say where. With a key: of a write, which may be done. */
export function unreachable(url: string, error: unknown, key?: string): CommandError {
  const { origin } = new URL(url)
  const code = causeCode(error) ?? (error instanceof TimeoutError ? 'no answer in time' : undefined)
  const reason = reasons[code ?? ''] ?? code ?? 'the connection failed'
  return new CommandError(
    'unavailable',
    `${origin} could not be reached: ${reason}`,
    [
      ...(key === undefined
        ? []
        : [`It may be done. To do it once, give the command again with --idempotency-key ${key}`]),
      'Run `svc doctor`; set another address with --base-url or `svc config set base_url`.',
    ].join('\n'),
  )
}

function failureOf(error: unknown, baseUrl: string, key: string | undefined): unknown {
  if (error instanceof APIError) {
    if (error.code === 'unknown') return notTheApi(error.status, baseUrl)
    return new ApiRefusal(error.raw as Problem)
  }
  if (error instanceof ConnectionError) return unreachable(baseUrl, error.cause ?? error, key)
  return error
}

export function openApi(settings: ApiSettings): Api {
  const { baseUrl, version, timeoutMs, organization, secret } = settings
  let [sent, refused]: (string | undefined)[] = []
  const options: ClientOptions = {
    baseUrl,
    timeout: timeoutMs,
    organization,
    accessToken: async () => (sent = await secret(refused)),
    appInfo: { name: 'svc-cli', version },
  }
  const log = new Log(undefined, 'off')
  if (settings.onExchange) log.listen(settings.onExchange)
  const own = settingsOf(options)
  const transport = new Transport(options, own, new Credentials(options, own), log)

  const outgoing = ({ ids, idempotencyKey, ...call }: Call) => ({
    ...call,
    ...(ids ? { values: ids } : {}),
    options: call.method === 'GET' ? {} : { idempotencyKey: idempotencyKey ?? newKey() },
  })

  /** Once more after a 401, with a token that was renewed and the same key. */
  async function send<T extends object>(call: ReturnType<typeof outgoing>, key?: string) {
    const before = sent
    try {
      return await transport.send<T>(call)
    } catch (error) {
      if (!(error instanceof APIError && error.status === 401)) throw failureOf(error, baseUrl, key)
    }
    // Another call may have brought a newer one meanwhile.
    if (before === undefined || before === sent) refused = sent
    return transport.send<T>(call).catch((error: unknown) => {
      throw failureOf(error, baseUrl, key)
    })
  }

  return {
    baseUrl,
    async call(call) {
      const { data, replayed } = await send<object>(outgoing(call), call.commandKey)
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
