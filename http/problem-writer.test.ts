import { describe, expect, test } from 'bun:test'
import { invalid, Problem, problemCodes, problems } from '#contract/problems.ts'
import { problemWriter } from './problem-writer.ts'

const write = problemWriter('https://api.example.com')
const read = (problem: Problem): Record<string, unknown> =>
  JSON.parse(write(problem, 'req_1').body) as Record<string, unknown>

describe('a problem body', () => {
  test.each(problemCodes)('%s says all it must without being told more', code => {
    const { status, headers } = write(new Problem(code), 'req_1')
    expect(status).toBe(problems[code].status)
    expect(headers).toEqual({ 'content-type': 'application/problem+json' })
    const { title, hint } = problems[code]
    const body = read(new Problem(code))
    expect(body).toMatchObject({ code, status, title, hint, request_id: 'req_1' })
    expect(body['type']).toBe(`https://api.example.com/problems/${code}`)
    expect(String(body['detail'])).toEndWith('.')
  })
  test('members come last, in the order of the contract', () => {
    const problem = new Problem('consent_required', {
      detail: 'No.',
      members: { missing: ['privacy'] },
    })
    expect(Object.keys(read(problem))).toEqual(
      ['type', 'title', 'status', 'detail', 'code', 'request_id', 'hint'].concat('missing'),
    )
  })
  test('a member replaces nothing that is fixed', () => {
    const problem = new Problem('gone', { members: { status: 'approved', code: 'x' } })
    expect(read(problem)).toMatchObject({ status: 410, code: 'gone' })
  })
  test('errors and another hint are said', () => {
    const fault = { pointer: '#/a', code: 'required', message: 'a is required.' } as const
    expect(read(invalid([fault], 'Do that.'))).toMatchObject({ errors: [fault], hint: 'Do that.' })
  })
  test('headers are passed on, but for the type', () => {
    const headers = { allow: 'GET', 'content-type': 'text/html' }
    expect(write(new Problem('method_not_allowed', { headers }), 'req_1').headers).toEqual({
      allow: 'GET',
      'content-type': 'application/problem+json',
    })
  })
  test('a cause is never printed', () => {
    const problem = Object.assign(new Problem('internal_error'), { cause: new Error('secret') })
    problem.stack = 'secret'
    expect(write(problem, 'req_1').body).not.toContain('secret')
  })
})
