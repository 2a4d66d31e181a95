// Starts bulk exports, runs the worker's steps, and reads the files over HTTP, for tests.

import { expect } from 'bun:test'
import { writeBulkFiles } from '#clinical/testing/exports.ts'
import type { openTestGateway } from '#gateway/testing/gateway.ts'

export type Manifest = {
  transactionTime: string
  request: string
  output: { type: string; url: string; count: number }[]
}

/** The fixtures' public origin, which isn't the port they listen on. */
export const base = 'http://localhost:3000'
export const locationOf = (answer: Response) => answer.headers.get('content-location') ?? ''

type Gateway = Awaited<ReturnType<typeof openTestGateway>>

export function bulkClient(gateway: () => Gateway) {
  const call = (url: string, init: Parameters<Gateway['call']>[1] = {}) =>
    gateway().call(url.replace(base, ''), init)
  const kickOff = (query = '', init: Parameters<Gateway['call']>[1] = {}) =>
    call(`/preview/fhir/$export${query}`, { headers: { prefer: 'respond-async' }, ...init })
  const work = () => writeBulkFiles(gateway().fixtures, 'test')

  async function manifestOf(answer: Response, as?: string): Promise<Manifest> {
    expect(answer.status).toBe(202)
    await work()
    const found = await call(locationOf(answer), { ...(as && { as }) })
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'application/json'])
    return found.json() as Promise<Manifest>
  }
  return { call, kickOff, work, manifestOf }
}
