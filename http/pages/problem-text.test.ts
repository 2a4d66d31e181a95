// Pages say what happened in words for people, whatever the problem.
import { describe, expect, test } from 'bun:test'
import { Problem, type ProblemCode, problems } from '#contract/problems.ts'
import { problemText } from './problem-text.ts'

/** Caused by a program's headers, methods, credentials or paths, so no page shows them. */
const onlyPrograms: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'unsupported_api_version',
  'idempotency_key_invalid',
  'idempotency_key_required',
  'organization_required',
  'unauthorized',
  'cross_site_request',
  'foreign_origin',
  'method_not_allowed',
  'page_gone',
  'range_not_satisfiable',
  'unsupported_media_type',
  'misdirected_request',
  'upgrade_required',
])

/** Calls, fields, headers, and other words for programs. */
const forPrograms = [
  /_|\/v1|\b(GET|POST|PATCH|PUT|DELETE)\b/,
  /[A-Z][a-z]+-[A-Z]/,
  /\b(credential|requests?|API|body|resource)\b/,
]

describe('a page', () => {
  const codes = (Object.keys(problems) as ProblemCode[]).filter(code => !onlyPrograms.has(code))
  test.each(codes)('describes %s without calls, fields or headers', code => {
    const text = problemText(new Problem(code))
    expect(forPrograms.filter(words => words.test(text))).toEqual([])
    expect(text).toMatch(/^[A-Z].*[.?!] [A-Z].*\.$/)
  })

  test('keeps what is known about this refusal', () => {
    const detail = 'Dr. Casey Clinician is working on the case.'
    expect(problemText(new Problem('case_claimed', { detail }))).toStartWith(`${detail} `)
  })

  test('shows a status as words', () => {
    const detail = 'The status of this case is info_requested.'
    const text = problemText(new Problem('invalid_transition', { detail }))
    expect(text).toContain('is info requested.')
  })

  test('shows what to do about each entry by its label, and nothing else', () => {
    const message = 'reason must have at least 1 character.'
    const errors = [{ pointer: '#/reason', code: 'too_short', message } as const]
    const problem = new Problem('invalid_request', { errors })
    expect(problemText(problem, {}, { reason: { name: 'a reason' } })).toBe('Enter a reason.')
    expect(problemText(problem)).toBe('Check your entries, then try again.')
  })
})
