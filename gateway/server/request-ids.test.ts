import { expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { newRequestId } from './request-ids.ts'

test('an id for each request, however many of them were drawn at once', () => {
  const ids = new Set(Array.from({ length: 1000 }, newRequestId))
  expect(ids.size).toBe(1000)
  expect([...ids].every(id => isId('req', id))).toBe(true)
})
