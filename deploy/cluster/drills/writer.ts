// Writes patients at a fixed rate, each with a key, and repeats each write until it's acknowledged.
// One in twenty writes is then sent again and must get the same response.
import type { Call } from './client.ts'
import { startAtRate, untilAnswered } from './rate.ts'

const outstandingMax = 400
const replayEvery = 20

export const patient = (name: string) => ({
  first_name: 'Ada',
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: `${name}@example.com`,
  phone: '+14155550142',
  address: {
    line1: '1600 Stockton Street',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94133',
  },
  external_id: name,
})

export type WrittenRow = { readonly tenant: number; readonly id: string }

/** Statuses that a request may get during a fault. The client then sends the same key again. */
export const retryable = new Set([0, 409, 429, 502, 503, 504])

/** Makes one attempt; returns undefined if the same key must be sent again. */
function openSender(call: Call) {
  const unexpected: string[] = []
  const answers = new Map<string, number>()
  async function send(key: string, name: string): Promise<string | undefined> {
    const answer = await call(key, '/v1/patients', { key: name, body: patient(name) })
    const status = answer?.status ?? 0
    if (answer !== null && status === 201) return (JSON.parse(answer.text) as { id: string }).id
    const code = /"code":"(\w+)"/.exec(answer?.text ?? '')?.[1] ?? ''
    const kind = `${status} ${code}`.trim()
    answers.set(kind, (answers.get(kind) ?? 0) + 1)
    if (retryable.has(status)) return undefined
    unexpected.push(`${name}: ${status} ${answer?.text}`)
    throw new Error('the write was refused permanently')
  }
  return { send, unexpected, answers }
}

/** Measures the longest gap between two occurrences since the last reading. */
export function openGap() {
  let last = performance.now()
  let longest = 0
  const mark = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const seconds = () => {
    const found = Math.max(longest, performance.now() - last) / 1000
    longest = 0
    return found
  }
  return { mark, seconds }
}

export function openWriter(call: Call, keys: readonly string[], rate: number, run: string) {
  const acknowledged = new Map<string, WrittenRow>()
  const { send, unexpected, answers } = openSender(call)
  const gap = openGap()

  async function write(number: number): Promise<void> {
    const name = `${run}-${number}`
    const tenant = number % keys.length
    const key = keys[tenant] ?? ''
    const id = await untilAnswered(() => send(key, name))
    gap.mark()
    acknowledged.set(name, { tenant, id })
    if (number % replayEvery !== 0) return
    const again = await send(key, name)
    if (again !== undefined && again !== id) unexpected.push(`${name}: ${id} became ${again}`)
  }
  const { counts, finish } = startAtRate(rate, outstandingMax, number =>
    write(number).catch(() => undefined),
  )
  return {
    acknowledged,
    unexpected,
    answers,
    counts: () => ({ ...counts(), acknowledged: acknowledged.size }),
    /** The longest time without an acknowledged write since the previous call, in seconds. */
    gap: gap.seconds,
    /** Stops sending writes, and resolves when all are acknowledged. */
    finish,
  }
}

export type Writer = ReturnType<typeof openWriter>
