// Runs a scenario: sends each step, compares the response, and keeps values for later steps.
import { randomUUID } from 'node:crypto'
import { until } from '../until.ts'
import {
  type Expect,
  type Send,
  type Step,
  type Scenario,
  fault,
  filled,
  valueAt,
} from './script.ts'

export type StepResponse = { status: number; headers: Headers; text: string; body: unknown }
export type ScenarioResult = { name: string; faults: string[]; milliseconds: number }

type Memory = {
  readonly scenario: Scenario
  readonly kept: Map<string, unknown>
  /** Every response by step name, for `sameAs`. */
  readonly texts: Map<string, string>
}

/** Runs all steps and reports each one as it finishes; the first failure ends the scenario. */
export async function runThrough(
  scenario: Scenario,
  given: Readonly<Record<string, string>>,
  tell: (result: ScenarioResult) => void = () => {},
): Promise<ScenarioResult[]> {
  const lacking = scenario.needs.filter(name => given[name] === undefined)
  if (lacking.length > 0) throw new Error(`${scenario.id} needs ${lacking.join(' and ')}.`)
  const memory: Memory = { scenario, kept: new Map(Object.entries(given)), texts: new Map() }
  memory.kept.set('NOW', Date.now())
  memory.kept.set('UNIQUE', randomUUID().slice(0, 8))
  const all: ScenarioResult[] = []
  const isGiven = (step: Step) => step.if === undefined || given[step.if] !== undefined
  for (const step of scenario.steps.filter(isGiven)) {
    const began = performance.now()
    const faults = await take(step, memory)
    const result = { name: step.name, faults, milliseconds: performance.now() - began }
    all.push(result)
    tell(result)
    if (faults.length > 0) break
  }
  return all
}

async function take(step: Step, memory: Memory): Promise<string[]> {
  const end = performance.now() + (step.within ?? 0) * 1000
  let faults: string[] = []
  await until(async () => {
    const answers = await Promise.all(
      Array.from({ length: step.times ?? 1 }, () => send(step.send, memory)),
    )
    faults = [
      ...answers.flatMap(answer => judge(answer, step.expect, memory)),
      ...disagreement(step, answers),
    ]
    const isOver = faults.length === 0 || performance.now() >= end
    const [first] = answers
    if (isOver && first) remember(step, first, memory)
    return isOver
  }, 1000)
  return [...new Set(faults)]
}

async function send(asked: Send, { scenario, kept }: Memory): Promise<StepResponse> {
  const method = asked.method ?? 'GET'
  const headers = new Headers(filled(asked.headers ?? {}, kept) as Record<string, string>)
  const more = asked.headersFrom === undefined ? {} : kept.get(asked.headersFrom)
  for (const [name, value] of Object.entries(more ?? {})) headers.set(name, String(value))
  const bearer = asked.as === undefined ? scenario.bearer : asked.as
  if (bearer) headers.set('authorization', `Bearer ${String(filled(bearer, kept))}`)
  if (method !== 'GET' && asked.key !== null) {
    headers.set('idempotency-key', String(filled(asked.key ?? randomUUID(), kept)))
  }
  const body = bodyOf(asked, kept, headers)
  const answer = await fetch(String(filled(asked.url, kept)), {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
}

function bodyOf(asked: Send, kept: Memory['kept'], headers: Headers): string | undefined {
  if (asked.json === undefined) return asked.text
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return JSON.stringify(filled(asked.json, kept))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function judge(answer: StepResponse, expect: Expect, { kept, texts }: Memory): string[] {
  const faults: (string | null)[] = []
  const { status } = expect
  if (status !== undefined && ![status].flat().includes(answer.status)) {
    return [`status is ${answer.status}, not ${[status].flat().join(' or ')}: ${answer.text}`]
  }
  const known = <T>(value: T): T => filled(value, kept) as T
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
    faults.push(fault(name, answer.headers.get(name) ?? undefined, known(wanted)))
  }
  for (const [path, wanted] of Object.entries(expect.body ?? {})) {
    faults.push(fault(path, valueAt(answer.body, path), known(wanted)))
  }
  if (expect.text !== undefined) faults.push(fault('text', answer.text, { matches: expect.text }))
  if (expect.ends !== undefined && !answer.text.endsWith(known(expect.ends))) {
    faults.push('the text ends differently')
  }
  if (expect.sameAs !== undefined && texts.get(expect.sameAs) !== answer.text) {
    faults.push(`the body differs from the one in "${expect.sameAs}"`)
  }
  return faults.filter(one => one !== null)
}

function disagreement({ agree }: Step, answers: readonly StepResponse[]): string[] {
  if (agree === undefined) return []
  const values = new Set(
    answers.filter(one => one.status < 300).map(one => JSON.stringify(valueAt(one.body, agree))),
  )
  return values.size === 1 ? [] : [`${agree} has ${values.size} different values`]
}

function remember(step: Step, answer: StepResponse, { kept, texts }: Memory): void {
  texts.set(step.name, answer.text)
  for (const [name, path] of Object.entries(step.keep ?? {})) {
    const value = path.startsWith('@')
      ? answer.headers.get(path.slice(1))
      : valueAt(answer.body, path)
    kept.set(name, value)
  }
}
