import { expect, test } from 'bun:test'
import { isId } from '#contract/ids.ts'
import { addressReader } from './client-address.ts'
import { HttpRequest, newRequestId } from './http-request.ts'

test('request: the address is read once, so it stays available after the connection closes', () => {
  const peers = [{ address: '192.0.2.1' }, null]
  const requestIP = () => peers.shift() ?? null
  const request = new Request('http://x/')
  const context = new HttpRequest(request, 'req_1', { requestIP }, addressReader([]))
  expect([context.address, context.address]).toEqual(['192.0.2.1', '192.0.2.1'])
})

test('request IDs strictly increase, even within a millisecond', () => {
  const ids = Array.from({ length: 2000 }, newRequestId)
  expect(ids).toEqual([...new Set(ids)].sort())
  expect(ids.every(id => isId('req', id))).toBe(true)
})
