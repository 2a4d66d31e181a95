// A handler can use only the refusals its operation declares. The lines marked as errors prove
// this, because the type check fails if one of them compiles.

import { expect, test } from 'bun:test'
import { table } from '#contract/api.ts'
import { refusalsOf } from '#contract/operation.ts'
import { Problem, type ProblemCode } from '#contract/problems.ts'
import type { Call } from './handler.ts'

const refuse = (code: ProblemCode) => new Problem(code)
const createPatient: Pick<Call<'createPatient'>, 'refuse'> = { refuse }
const createCase: Pick<Call<'createCase'>, 'refuse'> = { refuse }
const getCase: Pick<Call<'getCase'>, 'refuse'> = { refuse }

test('refusals: a handler may use declared codes and those common to its kind of operation', () => {
  expect(createCase.refuse('consent_required').code).toBe('consent_required')
  expect(createCase.refuse('idempotency_key_reused').code).toBe('idempotency_key_reused')
  expect(getCase.refuse('not_found').code).toBe('not_found')
  expect(getCase.refuse('service_unavailable').code).toBe('service_unavailable')
})

test('refusals: an undeclared code does not compile', () => {
  const undeclared: [Problem, readonly ProblemCode[]][] = [
    // @ts-expect-error createPatient declares no refusals
    [createPatient.refuse('consent_required'), refusalsOf(table.createPatient)],
    // @ts-expect-error the path of createPatient has no ID
    [createPatient.refuse('not_found'), refusalsOf(table.createPatient)],
    // @ts-expect-error createCase is not a transition
    [createCase.refuse('invalid_transition'), refusalsOf(table.createCase)],
    // @ts-expect-error a read has no idempotency key
    [getCase.refuse('idempotency_key_reused'), refusalsOf(table.getCase)],
    // @ts-expect-error getCase does not declare consent_required
    [getCase.refuse('consent_required'), refusalsOf(table.getCase)],
    // @ts-expect-error no_such_code is not a problem code
    [getCase.refuse('no_such_code'), refusalsOf(table.getCase)],
  ]
  // The compiler and the table agree, because the types are derived from the table.
  for (const [problem, allowed] of undeclared) expect(allowed).not.toContain(problem.code)
})
