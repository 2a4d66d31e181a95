import { expect, test } from 'bun:test'
import { addressReader } from './client-address.ts'
import { RequestContext } from './request-context.ts'

test('request context: the address is read once, and known after the connection has closed', () => {
  const peers = [{ address: '192.0.2.1' }, null]
  const requestIP = () => peers.shift() ?? null
  const request = new Request('http://x/')
  const context = new RequestContext(request, 'req_1', { requestIP }, addressReader([]))
  expect([context.address, context.address]).toEqual(['192.0.2.1', '192.0.2.1'])
})
