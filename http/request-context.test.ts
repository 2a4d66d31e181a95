import { expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { addressReader } from './client-address.ts'
import { RequestContext, newRequestId } from './request-context.ts'

test('request context: the address is read once, and known after the connection has closed', () => {
  const peers = [{ address: '192.0.2.1' }, null]
  const requestIP = () => peers.shift() ?? null
  const request = new Request('http://x/')
  const context = new RequestContext(request, 'req_1', { requestIP }, addressReader([]))
  expect([context.address, context.address]).toEqual(['192.0.2.1', '192.0.2.1'])
})

test('an id for each request, however many of them were drawn at once', () => {
  const ids = new Set(Array.from({ length: 1000 }, newRequestId))
  expect(ids.size).toBe(1000)
  expect([...ids].every(id => isId('req', id))).toBe(true)
})
