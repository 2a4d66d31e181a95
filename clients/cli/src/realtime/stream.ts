// Streams a credential's events for hours, each once and in order, across expired tokens and lost
// connections. Counts missed events, and delivers them on request.

import { type Api, wait } from '../api/client.ts'
import { chance, now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import { isRevoked, NoChannel, openSocket, type Published, type Socket } from './socket.ts'
import type { StreamedEvent } from './socket.ts'

export type How = 'live' | 'filled'

export type StreamSettings = {
  readonly api: Api
  /** Whether to deliver events that were missed while disconnected. */
  readonly backfill: boolean
  /** Starts with the events written after this time. */
  readonly since?: string
  /** Called for each event, in order. Each call waits until the previous call finishes. */
  readonly onEvent: (published: Published, how: How) => Promise<void>
  readonly onSubscribed: (channel: string) => void
  readonly onMissed: (count: number, from: StreamedEvent) => void
  readonly onLost: (reason: string) => void
  readonly onBack: () => void
  readonly onPolling: (reason: string) => void
  readonly times?: Partial<Times>
}

export type Times = {
  /** How long before a token expires to request a new token. */
  readonly renewBeforeMs: number
  /** After this long without a message, checks whether the server responds. */
  readonly silenceMs: number
  readonly answerMs: number
  readonly reconnectMaxMs: number
  readonly pollMs: number
}

export const usualTimes: Times = {
  renewBeforeMs: 10 * 60_000,
  silenceMs: 60_000,
  answerMs: 10_000,
  reconnectMaxMs: 5000,
  pollMs: 2000,
}

const seenMax = 10_000

/** Reads the events after an event or a time, in stream order. */
async function* eventsAfter(api: Api, id: string | null, since?: string) {
  const after = id !== null ? { starting_after: id } : since === undefined ? {} : { since }
  const query = { limit: '100', ...after }
  for await (const { data } of api.pages({ method: 'GET', path: '/v1/events', query }, 'id')) {
    yield* data as StreamedEvent[]
  }
}

/** Runs until it throws, because the credential has expired or the API refuses a request. */
export function stream(settings: StreamSettings): Promise<never> {
  return new Stream(settings).run()
}

class Stream {
  readonly #settings: StreamSettings
  readonly #times: Times
  readonly #seen = new Set<string>()
  /** Makes each message wait for the previous messages. */
  #queue: Promise<void> = Promise.resolve()
  /** The last event that was handled, or that existed before the first connection. */
  #last: string | null = null
  /** The start time if there is no last event. If undefined, starts at the first event. */
  #from: string | undefined
  #hasBegun = false
  /** Whether events since the requested time still have to be read. */
  #isBehind: boolean
  readonly #sockets = new Set<Socket>()
  /** The number of the current connection. Messages from other connections are ignored. */
  #attempt = 0
  /** New messages, held until older events have been read. */
  #held: Published[] | undefined
  #failure: unknown
  #spoke = 0

  constructor(settings: StreamSettings) {
    this.#settings = settings
    this.#times = { ...usualTimes, ...settings.times }
    this.#from = settings.since
    this.#isBehind = settings.since !== undefined
  }

  async run(): Promise<never> {
    let failures = 0
    for (;;) {
      try {
        const socket = await this.#open()
        await this.#begin(socket)
        if (failures > 0) this.#settings.onBack()
        failures = 0
        const reason = await this.#stay(socket)
        this.#settings.onLost(reason)
        failures = 1
        if (reason !== 'expired') await wait(chance() * this.#times.reconnectMaxMs)
      } catch (error) {
        this.#abandon()
        if (!isPassing(error)) throw error
        failures++
        if (failures === 1) this.#settings.onLost((error as Error).message)
        // If the API responds but the channel stays unavailable, polls the event list for a while.
        if (error instanceof NoChannel && failures >= 3) await this.#poll((error as Error).message)
        else await wait(Math.min(1000 * 2 ** failures, 30_000) * (0.5 + chance() / 2))
      }
    }
  }

  /** Opens a connection, and holds its events until earlier events have been read. */
  async #open(): Promise<Socket> {
    this.#held ??= []
    const attempt = this.#attempt
    try {
      const socket = await openSocket(this.#settings.api, published => {
        if (attempt !== this.#attempt) return
        this.#spoke = now()
        if (this.#held) this.#held.push(published)
        else this.#handle(published, 'live')
      })
      this.#sockets.add(socket)
      void socket.closed.then(() => this.#sockets.delete(socket))
      return socket
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Drops the held messages, because the next connection reads them and the unread events. */
  #abandon(): void {
    this.#attempt++
    this.#held = undefined
    for (const socket of this.#sockets) socket.close()
  }

  #release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const published of held) this.#handle(published, 'live')
  }

  /** After hello, reads or counts the events written before hello. */
  async #begin(socket: Socket): Promise<void> {
    const { latest_event_id: latest, channel } = socket.hello
    const { backfill, onSubscribed } = this.#settings
    this.#spoke = now()
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    if (isFirst) onSubscribed(channel)
    if (this.#isBehind) await this.#catchUp(true)
    else if (isFirst) this.#last = latest
    else if (latest !== this.#last) await this.#catchUp(backfill)
    this.#release()
  }

  /** Reads and counts the missed events. Delivers them if `isFilled`. */
  async #catchUp(isFilled: boolean): Promise<void> {
    await this.#queue
    let missed = 0
    let first: StreamedEvent | undefined
    try {
      for await (const event of this.#unread()) {
        if (this.#seen.has(event.id)) continue
        missed++
        first ??= event
        if (isFilled) this.#handle({ event, text: JSON.stringify(event) }, 'filled')
        else this.#note(event.id)
      }
    } finally {
      // Reports the events already counted even if the list fails, because the next read skips
      // those events.
      if (first !== undefined && !this.#isBehind) this.#settings.onMissed(missed, first)
    }
    this.#isBehind = false
    await this.#queue
  }

  readonly #unread = () => eventsAfter(this.#settings.api, this.#last, this.#from)

  #note(id: string): void {
    this.#seen.add(id)
    this.#last = id
    if (this.#seen.size <= seenMax) return
    const [oldest] = this.#seen
    if (oldest !== undefined) this.#seen.delete(oldest)
  }

  #handle(published: Published, how: How): void {
    this.#queue = this.#queue.then(async () => {
      const { id } = published.event
      if (this.#seen.has(id)) return
      this.#note(id)
      await this.#settings.onEvent(published, how)
    })
    this.#queue.catch((error: unknown) => (this.#failure = error))
  }

  /** Runs until the connection is lost. Renews the token while the old connection is still open. */
  async #stay(first: Socket): Promise<string> {
    let socket = first
    for (;;) {
      const serverNow = await this.#settings.api.now()
      const untilRenewal =
        Date.parse(socket.hello.expires_at) - serverNow - this.#times.renewBeforeMs
      const renew = after(Math.max(untilRenewal, 0), 'renew' as const)
      const quiet = after(this.#times.silenceMs, 'quiet' as const)
      const what = await Promise.race([socket.closed, renew.over, quiet.over])
      renew.stop()
      quiet.stop()
      if (this.#failure !== undefined) throw this.#failure
      if (what === 'quiet') {
        const isSilent = now() - this.#spoke >= this.#times.silenceMs
        if (isSilent && !(await socket.answers(this.#times.answerMs))) return 'no answer'
      } else if (what === 'renew') socket = await this.#renewed(socket)
      else {
        const { code, reason } = what
        if (isRevoked(code)) throw ended()
        return code === 4001 ? 'expired' : reason || `closed with ${code}`
      }
    }
  }

  /** Opens the new connection first. An event from both connections is handled once. */
  async #renewed(old: Socket): Promise<Socket> {
    const next = await this.#open().catch(async (error: unknown) => {
      if (!isPassing(error)) throw error
      // The old connection is still open, so tries again a little later.
      await wait(Math.min(this.#times.renewBeforeMs / 10, 30_000))
      return old
    })
    if (next === old) return old
    if (next.hello.latest_event_id !== this.#last) await this.#catchUpLive()
    this.#release()
    old.close()
    return next
  }

  async #catchUpLive(): Promise<void> {
    for await (const event of this.#unread()) {
      this.#handle({ event, text: JSON.stringify(event) }, 'live')
    }
    await this.#queue
  }

  /** Polls the event list for a minute, before the next attempt to open the channel. */
  async #poll(reason: string): Promise<void> {
    this.#settings.onPolling(reason)
    const end = now() + 60_000
    while (now() < end) {
      await this.#pollOnce().catch((error: unknown) => {
        if (!isPassing(error)) throw error
      })
      if (this.#failure !== undefined) throw this.#failure
      await wait(this.#times.pollMs)
    }
  }

  async #pollOnce(): Promise<void> {
    if (!this.#hasBegun) await this.#beginPolling()
    if (this.#isBehind) await this.#catchUp(true)
    else await this.#catchUpLive()
  }

  /** Skips the events of the last minute, because there is no hello that names the latest event. */
  async #beginPolling(): Promise<void> {
    if (!this.#isBehind) {
      this.#from = new Date((await this.#settings.api.now()) - 60_000).toISOString()
      for await (const { id } of this.#unread()) this.#note(id)
    }
    this.#hasBegun = true
  }
}

const ended = () =>
  new CommandError(
    'notLoggedIn',
    'the credential or the clinic grant was revoked',
    'Run `svc login` again.',
  )

/** Whether a retry may soon succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoChannel ||
  (error instanceof CommandError && (error.exit === 'unavailable' || error.exit === 'rateLimited'))

/** Node's timers last at most 24 days. */
const timerMaxMs = 2 ** 31 - 1

function after<T>(ms: number, value: T) {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<T>(resolve => {
    timer = setTimeout(resolve, Math.min(ms, timerMaxMs), value)
  })
  return { over, stop: () => clearTimeout(timer) }
}
