// A subscription to an organization's events that survives lost connections. After each connect,
// the subscription reads the events it missed, so each event arrives once and in order.

import { isRefusal, SvcError } from '../errors.ts'
import type { Event, EventType } from '../generated/schemas/events.ts'
import type { RealtimeToken } from '../generated/schemas/realtime.ts'
import { Queue } from './queue.ts'
import { now, pause, random } from '../runtime.ts'
import { type Connection, connect } from './socket.ts'

export type RealtimeStatus =
  | { state: 'connected'; channel: string; mode: string; expiresAt: string }
  /** Reconnects after `retryIn` milliseconds. */
  | { state: 'disconnected'; code: number; reason: string; retryIn: number }
  /** `count` events were written during the disconnection. */
  | { state: 'missed'; count: number }

export type SubscribeOptions = {
  /** Delivers only these types. */
  types?: readonly EventType[] | undefined
  /** Starts after this `created_at`. Default: with the next event. */
  since?: string | undefined
  /** Whether to deliver missed events or only count them. Default: `deliver`. */
  missed?: 'deliver' | 'count' | undefined
  onStatus?: ((status: RealtimeStatus) => void) | undefined
  signal?: AbortSignal | undefined
}

export type RealtimeMessage = {
  readonly event: Event
  /** Whether the event was read from the list because it's older than the connection. */
  readonly isMissed: boolean
}

/** The API calls and settings that a subscription uses. */
export type EventSource = {
  readonly baseUrl: string
  readonly WebSocket: typeof WebSocket
  /** The server's time in milliseconds, because this machine's clock may be wrong. */
  now(): number
  /** Runs a caller's function and catches its errors. */
  guard(hook: () => void): void
  createToken(): Promise<RealtimeToken>
  list(query: { starting_after?: string; since?: string; limit?: number }): AsyncIterable<Event>
}

/** The API's close codes after which reconnecting would fail too. */
const finalCodes: ReadonlySet<number> = new Set([1008, 4002, 4003])
/** Close codes that aren't failures: this side closed the connection, or its token expired. */
const renewedCodes: ReadonlySet<number> = new Set([1000, 4001])
const renewBeforeMs = 600_000
const silenceMs = 60_000
const pauseMaxMs = 5000
/** Number of event IDs remembered, because two connections may deliver the same event when one
 *  replaces the other. */
const rememberedMax = 1000

/** Where the next list request starts. */
type Position = { starting_after?: string } | { since: string }

export class Subscription implements AsyncIterable<Event> {
  readonly #source: EventSource
  readonly #options: SubscribeOptions
  readonly #queue = new Queue<RealtimeMessage>()
  readonly #seen = new Set<string>()
  readonly #stop = new AbortController()
  #position: Position | undefined
  /** Whether the first read of the list, from the `since` option, has finished. */
  #hasBegun = false
  /** Runs the message handlers one after another. */
  #work: Promise<void> = Promise.resolve()
  #connection: Connection | undefined
  #heardAt = now()

  constructor(source: EventSource, options: SubscribeOptions) {
    this.#source = source
    this.#options = options
    this.#position = options.since === undefined ? undefined : { since: options.since }
    options.signal?.addEventListener('abort', () => this.close(), { once: true })
    if (options.signal?.aborted) this.close()
    this.#run().then(
      () => this.#queue.end(),
      (error: unknown) => this.#queue.end(this.#stop.signal.aborted ? undefined : error),
    )
  }

  /** Ends the subscription and any loop over it. */
  close(): void {
    this.#stop.abort(new SvcError('the subscription was closed'))
    this.#connection?.close()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    for await (const { event } of this.messages()) yield event
  }

  /** The events, each with whether it was missed. Leaving the loop ends the subscription. */
  async *messages(): AsyncGenerator<RealtimeMessage, void, void> {
    try {
      yield* this.#queue
    } finally {
      this.close()
    }
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; failures++) {
      const ended = await this.#connectOnce(() => (failures = 0))
      if (finalCodes.has(ended.code)) {
        throw new SvcError(`the realtime channel was closed: ${ended.code} ${ended.reason}`)
      }
      if (this.#stop.signal.aborted || renewedCodes.has(ended.code)) continue
      const retryIn = Math.round(Math.min(pauseMaxMs, 500 * 2 ** failures) * (0.5 + random() / 2))
      this.#say({ state: 'disconnected', ...ended, retryIn })
      await pause(retryIn, this.#stop.signal)
    }
  }

  /** Runs until the connection closes. Throws if the API refuses a request, but not if it is
   *  unavailable. */
  async #connectOnce(opened: () => void): Promise<{ code: number; reason: string }> {
    try {
      return await this.#listen(await this.#source.createToken(), opened)
    } catch (error) {
      if (!(error instanceof SvcError) || isRefusal(error)) throw error
      return { code: 1006, reason: error.name }
    }
  }

  #listen(token: RealtimeToken, opened: () => void): Promise<{ code: number; reason: string }> {
    const { baseUrl, WebSocket } = this.#source
    return new Promise((resolve, reject) => {
      let hasFailed = false
      const fail = (error: unknown) => {
        hasFailed = true
        connection.close()
        reject(error as Error)
      }
      const inTurn = (work: () => Promise<void> | void) => {
        // Earlier events couldn't be read. The next connection reads the earlier events and this
        // event.
        if (hasFailed) return
        this.#heardAt = now()
        this.#work = this.#work.then(work)
        this.#work.catch(fail)
      }
      const connection = connect(baseUrl, token, WebSocket, {
        opened: latest =>
          inTurn(async () => {
            await this.#catchUp(latest)
            opened()
            const { channel, mode, expires_at: expiresAt } = token
            this.#say({ state: 'connected', channel, mode, expiresAt })
          }),
        message: event => inTurn(() => this.#deliver(event, false)),
        closed: (code, reason) => {
          clearInterval(timer)
          // Finishes handling earlier messages first.
          void this.#work.then(() => resolve({ code, reason }), reject)
          this.#work = Promise.resolve()
        },
      })
      this.#connection = connection
      if (this.#stop.signal.aborted) connection.close()
      const endsAt = Date.parse(token.expires_at) - renewBeforeMs
      const timer = setInterval(() => {
        if (this.#source.now() > endsAt) connection.close()
        else if (now() - this.#heardAt > silenceMs) inTurn(() => this.#checkSilence(connection))
      }, 1000)
    })
  }

  /** Reads the events after the last delivered one. */
  async #catchUp(latest: string | null | undefined): Promise<void> {
    const isBeginning = !this.#hasBegun && this.#options.since !== undefined
    if (this.#position === undefined) {
      this.#position = latest ? { starting_after: latest } : {}
      if (latest === undefined) {
        this.#position = { since: new Date(this.#source.now()).toISOString() }
      }
      return
    }
    if ('starting_after' in this.#position && this.#position.starting_after === latest) return
    let count = 0
    try {
      for await (const event of this.#source.list({ ...this.#position, limit: 100 })) {
        if (this.#isWanted(event)) count++
        if (isBeginning || this.#options.missed !== 'count') this.#deliver(event, true)
        this.#position = { starting_after: event.id }
      }
      this.#hasBegun = true
    } finally {
      // Reports the events already counted even if the list fails, because the next read skips
      // those events.
      if (count > 0 && !isBeginning) this.#say({ state: 'missed', count })
    }
  }

  /** Closes a connection that died without either side noticing, for example during sleep. */
  async #checkSilence(connection: Connection): Promise<void> {
    for await (const _ of this.#source.list({ ...this.#position, limit: 1 })) {
      const reason = 'silent, although there are newer events'
      this.#say({ state: 'disconnected', code: 1006, reason, retryIn: 0 })
      connection.close()
      break
    }
  }

  #say(status: RealtimeStatus): void {
    this.#source.guard(() => this.#options.onStatus?.(status))
  }

  #isWanted({ id, type }: Event): boolean {
    const { types } = this.#options
    return !this.#seen.has(id) && (types === undefined || types.includes(type as EventType))
  }

  #deliver(event: Event, isMissed: boolean): void {
    if (this.#isWanted(event)) this.#queue.push({ event, isMissed })
    this.#seen.add(event.id)
    const [oldest] = this.#seen
    if (this.#seen.size > rememberedMax && oldest !== undefined) this.#seen.delete(oldest)
    this.#position = { starting_after: event.id }
  }
}
