// How tests make a call: by operation, as a member of the cast, through the whole pipeline.

import { type OperationId, table } from '#contract/api.ts'
import { rivera } from '#contract/examples.ts'
import { type Problem, problems, type ProblemCode } from '#contract/problems.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import type { Fixtures } from './fixtures.ts'
import { perform } from '../pipeline/perform.ts'

export type Asked = {
  /** The key; Ada's test key when left out. */
  as?: string | null
  /** The id in the path; the first, when there are more. */
  id?: string
  /** The others, by name. */
  names?: Record<string, string>
  query?: string | Record<string, string>
  body?: unknown
  /** The Idempotency-Key; a new one when left out, none when null. */
  key?: string | null
  organization?: string
  version?: string
  request?: string
  /** Where it comes from: refused credentials are counted by address. */
  address?: string
  /** The moment at which it is made, milliseconds since 1970; now when left out. */
  at?: number
}

export type Replied = {
  status: number
  text: string
  headers: Record<string, string>
  problem: Problem | null
  code: ProblemCode | null
  /** The parsed answer. A test states what it expects it to be. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers member by member
  body: any
}

/** What stands in a path for each of its names. */
export function namesOf(path: string, { id = '', names = {} }: Asked): Record<string, string> {
  const [first, ...others] = pathNames(path)
  if (first === undefined) return {}
  return { [first]: id, ...Object.fromEntries(others.map(name => [name, names[name] ?? ''])) }
}

let keys = 0
let requests = 0

/** Makes one call. */
export async function ask(
  fixtures: Fixtures,
  operation: OperationId,
  asked: Asked = {},
): Promise<Replied> {
  const row = table[operation]
  const names = namesOf(row.path, asked)
  const { at } = asked
  const context = at === undefined ? fixtures.context : { ...fixtures.context, now: () => at }
  const outcome = await perform(context, {
    operation,
    path: row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ''),
    names,
    query: new URLSearchParams(asked.query ?? ''),
    token: asked.as === undefined ? fixtures.ada.test : asked.as,
    organization: asked.organization ?? null,
    version: asked.version ?? null,
    idempotencyKey: asked.key === undefined && isWrite(row) ? `key-${keys++}` : (asked.key ?? null),
    body: asked.body,
    refusedBody: null,
    request: asked.request ?? `req_${String(requests++).padStart(26, '0')}`,
    address: asked.address ?? '203.0.113.7',
    agent: 'a test',
  })
  if ('problem' in outcome) {
    const { problem } = outcome
    const { status } = problems[problem.code]
    const headers = { ...problem.said.headers }
    return { status, text: '', headers, problem, code: problem.code, body: problem.said }
  }
  const { status, headers, bytes } = outcome
  const body = bytes ? await new Response(await bytes.open()).text() : outcome.body
  return { status, text: body, headers, problem: null, code: null, body: JSON.parse(body) }
}

export const semaglutide = 'med_01ke5q8600cs8dx2pfwah5v0tz'
/** Sold over the counter: may be planned, is never filled. */
export const minoxidil = 'med_01ke5q8mmrtq054hbr3zgrpejx'

export { rivera }

/** Makes a call that must succeed, and answers what it answered. */
export async function must(fixtures: Fixtures, operation: OperationId, asked: Asked = {}) {
  const replied = await ask(fixtures, operation, asked)
  if (replied.problem) {
    throw new Error(`${operation} was refused: ${replied.code} ${JSON.stringify(replied.body)}`)
  }
  return replied.body
}

export type ConsentedPatient = { patient: string; telehealth: string; privacy: string }

/** A patient with both current consents. */
export async function consentedPatient(fixtures: Fixtures, as?: string): Promise<ConsentedPatient> {
  const who = as === undefined ? {} : { as }
  const { id: patient } = await must(fixtures, 'createPatient', { ...who, body: rivera })
  const consent = async (kind: string): Promise<string> =>
    (
      await must(fixtures, 'recordConsent', {
        ...who,
        id: patient,
        body: { kind, version: '2026-09-01' },
      })
    ).id
  return { patient, telehealth: await consent('telehealth'), privacy: await consent('privacy') }
}

/** The body of a case for that patient. */
export const caseBody = (agreed: ConsentedPatient, more: Record<string, unknown> = {}) => ({
  patient: agreed.patient,
  consent_ids: [agreed.telehealth, agreed.privacy],
  requested_medications: [{ medication_id: semaglutide }],
  ...more,
})

/** A case of a new patient, at `queued`. */
export async function queuedCase(fixtures: Fixtures, as?: string, more?: Record<string, unknown>) {
  const agreed = await consentedPatient(fixtures, as)
  const body = caseBody(agreed, more)
  const found = await must(fixtures, 'createCase', as === undefined ? { body } : { as, body })
  return { ...agreed, id: found.id as string }
}
