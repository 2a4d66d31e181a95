import { describe, expect, test } from 'bun:test'
import { siteProblem } from './site-problem-writer.ts'

describe('a problem of the content API', () => {
  test('has every member of RFC 9457 that the specification names, and the two of ours', async () => {
    const answer = siteProblem('not_found', { detail: 'Not there.', hint: 'Look elsewhere.' })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('api-version')).toBe('2026-08-23')
    expect(await answer.json()).toEqual({
      type: '/problems/not_found',
      title: 'Not found',
      status: 404,
      detail: 'Not there.',
      code: 'not_found',
      hint: 'Look elsewhere.',
    })
  })

  test('takes further members and headers', async () => {
    const answer = siteProblem('payload_too_large', {
      detail: 'Too large.',
      hint: 'Send less.',
      members: { limit_bytes: 1 },
      headers: { connection: 'close' },
    })
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toMatchObject({ status: 413, limit_bytes: 1 })
  })
})
