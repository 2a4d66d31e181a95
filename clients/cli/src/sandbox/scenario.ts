// A scenario: steps as data, each an API request with its expected response.

import { type Api, wait } from '../api/client.ts'
import { now } from '../environment.ts'
import { ApiRefusal, CommandError, usage } from '../errors.ts'
import { operation, target } from '../operations/operation.ts'
import { at } from '../output/format.ts'

export type Step = {
  readonly say: string
  /** An operation's ID. */
  readonly call?: string
  readonly ids?: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The name under which later steps find the response: `$case.id`. */
  readonly keep?: string
  /** Expected values, by their path in the response. */
  readonly expect?: Readonly<Record<string, unknown>>
  /** The expected error code. */
  readonly refused?: string
  /** Repeats the request until the response has these values. */
  readonly until?: Readonly<Record<string, unknown>>
  /** The stored file reservation that `text` is sent to. */
  readonly upload?: string
  readonly text?: string
}

export type Scenario = {
  readonly name: string
  readonly about: string
  readonly steps: readonly Step[]
}

export type StepResult = {
  readonly say: string
  readonly call: string | null
  readonly outcome: string
  readonly id: string | null
  readonly ms: number
}

type KeptValues = Record<string, unknown>

/** Replaces `$name.path` with the stored value, at any depth. */
function filled(value: unknown, kept: KeptValues): unknown {
  if (typeof value === 'string' && value.startsWith('$')) {
    const found = inside(kept, value.slice(1))
    if (found === undefined) throw usage(`the scenario has no ${value} at this step`)
    return found
  }
  if (Array.isArray(value)) return value.map(one => filled(one, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, kept)]))
}

/** Reads a path such as `data.0.id`, which can contain array indexes. */
function inside(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((one, name) => (Array.isArray(one) ? one[Number(name)] : at(one, name)), value)
}

const matches = (answer: unknown, wanted: Readonly<Record<string, unknown>>) =>
  Object.entries(wanted).filter(([path, value]) => inside(answer, path) !== value)

const failed = (step: Step, message: string) =>
  new CommandError('checkFailed', `${step.say}: ${message}`)

const untilMaxMs = 120_000

async function perform(api: Api, step: Step, kept: KeptValues): Promise<unknown> {
  const row = await operation(step.call ?? '').catch(() => {
    throw usage(`the scenario calls an unknown operation: ${step.call}`)
  })
  const ids = (step.ids ?? []).map(one => String(filled(one, kept)))
  const body = step.body === undefined ? {} : { body: filled(step.body, kept) }
  const call = {
    method: row.method,
    ...target(row, ids),
    ...(step.query ? { query: filled(step.query, kept) as Record<string, string> } : {}),
    ...(row.method === 'GET' ? {} : { body: {}, ...body }),
  }
  const end = now() + untilMaxMs
  for (;;) {
    const { body: answer } = await api.call(call)
    if (!step.until || matches(answer, step.until).length === 0) return answer
    if (now() > end) throw failed(step, 'took longer than two minutes')
    await wait(250)
  }
}

async function upload(step: Step, kept: KeptValues): Promise<unknown> {
  const reserved = kept[step.upload ?? ''] as
    | { upload_url: string; upload_headers: Record<string, string> }
    | undefined
  if (!reserved) throw usage(`the scenario has no $${step.upload} at this step`)
  const { upload_url: url, upload_headers: headers } = reserved
  const response = await fetch(url, { method: 'PUT', headers, body: step.text ?? '' })
  if (!response.ok) throw failed(step, `storage responded with ${response.status}`)
  return {}
}

/** Yields each step's result. An unexpected result throws. */
export async function* play(api: Api, { steps }: Scenario): AsyncGenerator<StepResult> {
  const kept: KeptValues = {}
  for (const step of steps) {
    const began = now()
    const result = (outcome: string, id: unknown = null): StepResult => ({
      say: step.say,
      call: step.call ?? null,
      outcome,
      id: typeof id === 'string' ? id : null,
      ms: now() - began,
    })
    let answer: unknown
    try {
      answer = step.upload === undefined ? await perform(api, step, kept) : await upload(step, kept)
    } catch (error) {
      const code = error instanceof ApiRefusal ? error.problem.code : undefined
      if (step.refused === undefined || code !== step.refused) throw error
      yield result(`refused: ${code}`)
      continue
    }
    if (step.refused !== undefined) throw failed(step, `wasn't refused with ${step.refused}`)
    for (const [path, value] of matches(answer, step.expect ?? {})) {
      const found = JSON.stringify(inside(answer, path))
      throw failed(step, `expected ${path} to be ${JSON.stringify(value)}, got ${found}`)
    }
    if (step.keep !== undefined) kept[step.keep] = answer
    yield result(outcomeOf(answer), at(answer, 'id'))
  }
}

function outcomeOf(answer: unknown): string {
  const data = at(answer, 'data')
  if (Array.isArray(data)) return `${data.length} found`
  return String(at(answer, 'status') ?? 'done')
}
