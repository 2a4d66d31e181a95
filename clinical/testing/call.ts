// Lets tests make a call by operation, with a fixture's key, through the whole pipeline.

import type { Bytes } from '../storage/storage.ts'
import { type CallableId, callable, logged, type LoggedId } from '#contract/callable.ts'
import { rivera } from '#contract/examples.ts'
import { type Problem, problems, type ProblemCode } from '#contract/problems.ts'
import { newRequestId } from '#http/http-request.ts'
import { isWrite, pathNames } from '#contract/operation.ts'
import { type Fixtures, fixturesBase } from './fixtures.ts'
import { perform } from '../pipeline/perform.ts'
import { previewTable, type PreviewId } from '#contract/preview/operations.ts'
import { fhirSurface } from '../fhir/surface.ts'
import { previewSurface, restSurface } from '../rest/surface.ts'
import type { Surface } from '../pipeline/surface.ts'

export type CallOptions = {
  /** The key; defaults to Ada's test key. */
  as?: string | null
  /** The ID in the path, or the first ID if there are several. */
  id?: string
  /** The other IDs, by name. */
  names?: Record<string, string>
  query?: string | Record<string, string>
  body?: unknown
  /** The Idempotency-Key; defaults to a new one, and null sends none. */
  key?: string | null
  organization?: string
  version?: string
  request?: string
  /** The client's IP address; refused credentials are counted by it. */
  address?: string
  /** The call's time in milliseconds since 1970; defaults to now. */
  at?: number
}

export type CallResult = {
  status: number
  text: string
  headers: Record<string, string>
  problem: Problem | null
  code: ProblemCode | null
  /** The bytes, if the response is a file. */
  bytes?: Bytes | undefined
  /** The parsed body, which each test interprets. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies field by field
  body: any
}

export function pathValuesOf(
  path: string,
  { id = '', names = {} }: CallOptions,
): Record<string, string> {
  const [first, ...others] = pathNames(path)
  if (first === undefined) return {}
  return { [first]: id, ...Object.fromEntries(others.map(name => [name, names[name] ?? ''])) }
}

const isPreview = (id: CallableId): id is PreviewId => Object.hasOwn(previewTable, id)
const surfaces = {
  rest: restSurface(fixturesBase),
  preview: previewSurface(fixturesBase),
  fhir: fhirSurface(fixturesBase),
}
function surfaceOf(id: LoggedId): Surface<LoggedId> {
  if (!Object.hasOwn(callable, id)) return surfaces.fhir as Surface<string>
  return (isPreview(id as CallableId) ? surfaces.preview : surfaces.rest) as Surface<string>
}

let keys = 0

/** Calls an operation; a refusal is also a result. */
export async function invoke(
  fixtures: Fixtures,
  operation: LoggedId,
  options: CallOptions = {},
): Promise<CallResult> {
  const row = logged[operation]
  const names = pathValuesOf(row.path, options)
  const { at } = options
  const context = at === undefined ? fixtures.context : { ...fixtures.context, now: () => at }
  const outcome = await perform(context, surfaceOf(operation), {
    operation,
    path: row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ''),
    names,
    query: new URLSearchParams(options.query ?? ''),
    token: options.as === undefined ? fixtures.ada.test : options.as,
    organization: options.organization ?? null,
    version: options.version ?? null,
    idempotencyKey:
      options.key === undefined && isWrite(row) ? `key-${keys++}` : (options.key ?? null),
    body: options.body,
    refusedBody: null,
    request: options.request ?? newRequestId(),
    address: options.address ?? '203.0.113.7',
    agent: 'a test',
  })
  if ('problem' in outcome) {
    const { problem } = outcome
    const { status } = problems[problem.code]
    const headers = { ...problem.content.headers }
    return { status, text: '', headers, problem, code: problem.code, body: problem.content }
  }
  const { status, headers, bytes } = outcome
  const body = bytes ? await new Response(await bytes.open()).text() : outcome.body
  return { status, text: body, headers, problem: null, code: null, body: JSON.parse(body) }
}

export const semaglutide = 'med_01ke5q8600cs8dx2pfwah5v0tz'
/** An over-the-counter medication. A plan may include it, but no prescription for it is filled. */
export const minoxidil = 'med_01ke5q8mmrtq054hbr3zgrpejx'

export { rivera }

/** Calls an operation that must succeed, and returns the body. */
export async function invokeOk(fixtures: Fixtures, operation: LoggedId, options: CallOptions = {}) {
  const result = await invoke(fixtures, operation, options)
  if (result.problem) {
    throw new Error(`${operation} was refused: ${result.code} ${JSON.stringify(result.body)}`)
  }
  return result.body
}

export type ConsentedPatient = { patient: string; telehealth: string; privacy: string }

/** A patient with both current consents. */
export async function consentedPatient(fixtures: Fixtures, as?: string): Promise<ConsentedPatient> {
  const who = as === undefined ? {} : { as }
  const { id: patient } = await invokeOk(fixtures, 'createPatient', { ...who, body: rivera })
  const consent = async (kind: string): Promise<string> =>
    (
      await invokeOk(fixtures, 'recordConsent', {
        ...who,
        id: patient,
        body: { kind, version: '2026-09-01' },
      })
    ).id
  return { patient, telehealth: await consent('telehealth'), privacy: await consent('privacy') }
}

/** Returns a case's body for that patient. */
export const caseBody = (agreed: ConsentedPatient, more: Record<string, unknown> = {}) => ({
  patient: agreed.patient,
  consent_ids: [agreed.telehealth, agreed.privacy],
  requested_medications: [{ medication_id: semaglutide }],
  ...more,
})

/** Creates a queued case for a new patient. */
export async function queuedCase(fixtures: Fixtures, as?: string, more?: Record<string, unknown>) {
  const agreed = await consentedPatient(fixtures, as)
  const body = caseBody(agreed, more)
  const found = await invokeOk(fixtures, 'createCase', as === undefined ? { body } : { as, body })
  return { ...agreed, id: found.id as string }
}
