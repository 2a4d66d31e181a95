// Counts an operation's database round trips in the driver, by running the pipeline in this
// process.
import path from 'node:path'
import type { OperationId } from '#contract/api.ts'
import { createContext } from '#clinical/context.ts'
import type { RequestedCall } from '#clinical/pipeline/requested-call.ts'
import { perform } from '#clinical/pipeline/perform.ts'
import { restSurface } from '#clinical/rest/surface.ts'
import type { Setup } from './setup.ts'
import { dataDir } from '../harness/server.ts'
import { type Result, rowOf } from '../harness/rounds.ts'
import { person } from '../harness/statement.ts'
import { targetOf } from '../targets.ts'

const calls = 20

export async function countTrips({ environment: context }: Setup): Promise<Result> {
  const [tenant] = await context.openTenants(1)
  if (!tenant) throw new Error('A tenant must have been opened.')
  const opened = createContext({
    isLiveOpen: () => true,
    urls: context.urls,
    pepper: context.pepper,
    base: 'http://localhost',
    storage: { folder: path.join(dataDir, 'files') },
    poolSize: 2,
    rateLimit: 1_000_000,
    onError: failure => {
      throw failure
    },
  })
  const surface = restSurface(opened.base)
  const requested = (
    operation: OperationId,
    names: Record<string, string> = {},
  ): RequestedCall<OperationId> => ({
    operation,
    names,
    path: '/v1/patients',
    query: new URLSearchParams(),
    token: tenant.key,
    organization: null,
    version: null,
    refusedBody: null,
    idempotencyKey: operation === 'createPatient' ? crypto.randomUUID() : null,
    body: operation === 'createPatient' ? person : undefined,
    request: 'req_01m7wqryjrscqnw9bcr5fpqt88',
    address: '127.0.0.1',
    agent: 'bench',
  })
  const tripsOf = async (operation: OperationId, names?: Record<string, string>) => {
    const before = opened.pools.test.roundTrips()
    for (let at = 0; at < calls; at++) {
      await perform(opened, surface, requested(operation, names))
    }
    return (opened.pools.test.roundTrips() - before) / calls
  }
  // A key's first request in a minute also updates when the key was last used.
  const first = await perform(opened, surface, requested('createPatient'))
  const id = 'body' in first ? String(JSON.parse(first.body).id) : ''
  const write = await tripsOf('createPatient')
  const read = await tripsOf('getPatient', { id })
  await opened.close()
  return {
    rows: [tripsRow('write', write), tripsRow('read', read)],
    notes: [],
    proofs: [],
  }
}

const tripsRow = (kind: 'write' | 'read', found: number) =>
  rowOf({
    job: `round trips of a ${kind}`,
    unit: 'trips',
    ours: [found],
    peer: null,
    target: targetOf(`P2 ${kind}`),
  })
