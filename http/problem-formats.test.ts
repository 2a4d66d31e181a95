import { describe, expect, test } from 'bun:test'
import { invalid, Problem, type ProblemCode, problemCodesOf, problems } from '#contract/problems.ts'
import { type ErrorFormat, writeProblem } from './problem-formats.ts'

const api = {
  surface: 'v1',
  base: 'https://api.example.com',
  method: 'GET',
  requestId: 'req_1',
  rpcId: null,
  accept: null,
} as const
const site = { ...api, surface: 'site', base: '', requestId: null } as const
const write = (problem: Problem) => writeProblem(problem, 'problem', api)
const read = (problem: Problem): Record<string, unknown> =>
  JSON.parse(write(problem).body) as Record<string, unknown>

describe('problem formats: problem+json', () => {
  test.each(problemCodesOf('v1'))('%s has every required field without further details', code => {
    const { status, type } = write(new Problem(code))
    expect([status, type]).toEqual([problems[code].status, 'application/problem+json'])
    const { title, hint } = problems[code]
    const body = read(new Problem(code))
    expect(body).toMatchObject({ code, status, title, hint, request_id: 'req_1' })
    expect(body['type']).toBe(`https://api.example.com/problems/${code}`)
    expect(String(body['detail'])).toEndWith('.')
  })
  test("read hints don't mention an Idempotency-Key; write hints explain it", () => {
    const hintOf = (code: ProblemCode, method: string): string =>
      JSON.parse(writeProblem(new Problem(code), 'problem', { ...api, method }).body).hint
    const codes = [
      'invalid_request',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ] as const
    for (const code of codes) {
      for (const method of ['GET', 'HEAD'])
        expect(hintOf(code, method)).not.toContain('Idempotency')
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        expect(hintOf(code, method)).toContain('Idempotency-Key')
      }
    }
  })
  test('extra fields follow the fixed ones', () => {
    const problem = new Problem('consent_required', {
      detail: 'No.',
      members: { missing: ['privacy'] },
    })
    expect(Object.keys(read(problem))).toEqual(
      ['type', 'title', 'status', 'detail', 'code', 'request_id', 'hint'].concat('missing'),
    )
  })
  test('extra fields cannot replace fixed ones', () => {
    const problem = new Problem('gone', { members: { status: 'approved', code: 'x' } })
    expect(read(problem)).toMatchObject({ status: 410, code: 'gone' })
  })
  test('contains errors and a custom hint', () => {
    const fault = { pointer: '#/a', code: 'required', message: 'a is required.' } as const
    expect(read(invalid([fault], 'Do that.'))).toMatchObject({ errors: [fault], hint: 'Do that.' })
  })
  test('headers from the problem are set on the response', () => {
    const headers = { allow: 'GET' }
    const { headers: sent, type } = write(new Problem('method_not_allowed', { headers }))
    expect([sent, type]).toEqual([headers, 'application/problem+json'])
  })
  test('does not contain the cause', () => {
    const problem = Object.assign(new Problem('internal_error'), { cause: new Error('secret') })
    problem.stack = 'secret'
    expect(write(problem).body).not.toContain('secret')
  })
})

describe('problem formats: site', () => {
  test('has a relative type, no request id, and the site hint', () => {
    const problem = new Problem('invalid_request', { detail: 'Not there.', members: { see: 1 } })
    expect(JSON.parse(writeProblem(problem, 'problem', site).body)).toEqual({
      type: '/problems/invalid_request',
      title: 'The request is not valid',
      status: 400,
      detail: 'Not there.',
      code: 'invalid_request',
      hint: problems.invalid_request.siteHint ?? '',
      see: 1,
    })
  })
  test('is an escaped HTML page for a browser and problem+json for other clients', () => {
    const problem = new Problem('invalid_request', { detail: '<b>', hint: 'Send "a" & b.' })
    const page = writeProblem(problem, 'page', { ...site, accept: 'text/html,*/*;q=0.8' })
    expect([page.status, page.type]).toEqual([400, 'text/html; charset=utf-8'])
    expect(page.body).toContain('&lt;b&gt;')
    expect(page.body).not.toContain('<b>')
    for (const accept of ['*/*', 'text/html;q=0', 'text/html; q=0.0, */*', 'x/y;a="text/html"']) {
      const program = writeProblem(problem, 'page', { ...site, accept })
      expect([accept, program.type]).toEqual([accept, 'application/problem+json'])
    }
  })
  test.each(['acp', 'jsonrpc'] as const)('is the protocol’s error (%s)', format => {
    const problem = new Problem('rate_limited', { detail: 'Too many.', members: { see: 1 } })
    const { status, type, body } = writeProblem(problem, format, { ...site, rpcId: 7 })
    expect([status, type]).toEqual([429, 'application/json'])
    const written: Record<ErrorFormat & ('acp' | 'jsonrpc'), object> = {
      acp: { type: 'service_unavailable', code: 'rate_limited', message: 'Too many.', see: 1 },
      jsonrpc: { id: 7, error: { code: -32_000, message: 'Too many.', data: { see: 1 } } },
    }
    expect(JSON.parse(body)).toMatchObject(written[format])
  })
})
