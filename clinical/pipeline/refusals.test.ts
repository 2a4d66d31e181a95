// A handler can give only the refusals that its row declares. The lines marked as errors are the
// proof: should one of them ever compile, the type check fails.

import { expect, test } from 'bun:test'
import { table } from '#contract/api.ts'
import { refusalsOf } from '#contract/operation.ts'
import { Problem, type ProblemCode } from '#contract/problems.ts'
import type { Call } from './handler.ts'

const refuse = (code: ProblemCode) => new Problem(code)
const createPatient: Pick<Call<'createPatient'>, 'refuse'> = { refuse }
const createCase: Pick<Call<'createCase'>, 'refuse'> = { refuse }
const getCase: Pick<Call<'getCase'>, 'refuse'> = { refuse }

test('what a row declares may be refused, and so may what its kind implies', () => {
  expect(createCase.refuse('consent_required').code).toBe('consent_required')
  expect(createCase.refuse('idempotency_key_reused').code).toBe('idempotency_key_reused')
  expect(getCase.refuse('not_found').code).toBe('not_found')
  expect(getCase.refuse('service_unavailable').code).toBe('service_unavailable')
})

test('a refusal that the row does not declare is no program', () => {
  const undeclared: [Problem, readonly ProblemCode[]][] = [
    // @ts-expect-error createPatient declares no refusal of its own
    [createPatient.refuse('consent_required'), refusalsOf(table.createPatient)],
    // @ts-expect-error no id is in the path of createPatient, so nothing can be missing
    [createPatient.refuse('not_found'), refusalsOf(table.createPatient)],
    // @ts-expect-error createCase moves nothing
    [createCase.refuse('invalid_transition'), refusalsOf(table.createCase)],
    // @ts-expect-error a read spends no key
    [getCase.refuse('idempotency_key_reused'), refusalsOf(table.getCase)],
    // @ts-expect-error nor does a read of a case depend on consent
    [getCase.refuse('consent_required'), refusalsOf(table.getCase)],
    // @ts-expect-error this is no code at all
    [getCase.refuse('no_such_code'), refusalsOf(table.getCase)],
  ]
  // What the compiler refuses is what the table leaves out: one source, two readers.
  for (const [problem, allowed] of undeclared) expect(allowed).not.toContain(problem.code)
})
