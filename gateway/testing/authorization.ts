// Gateways with the API and all of AUTH_URL on one database, with people, and the log as it is
// written. Each can be opened again with other peppers and encryption keys, as a restart does.
import { openAuthApp } from '#auth/auth-app.ts'
import type { Peppers } from '#auth/pepper.ts'
import { encryptionKeys, openPeople, peppers } from '#auth/testing/people.ts'
import { createContext } from '#clinical/context.ts'
import { type Fixtures, fixturesBase, openFixtures } from '#clinical/testing/fixtures.ts'
import { addressReader } from '#http/client-address.ts'
import { createLog } from '#http/log.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listenForNode } from '../origins/node-listener.ts'
import { describeFailure } from '../server/describe-failure.ts'
import { newRequestId } from '../server/request-ids.ts'
import { openTestGateway } from './gateway.ts'

export const resources = { api: fixturesBase, mcp: 'http://localhost:3003/mcp' }

export type Platform = Awaited<ReturnType<typeof openPlatform>>
export type PlatformGateway = Awaited<ReturnType<Platform['start']>>

type Started = {
  readonly peppers?: Peppers
  readonly encryptionKeys?: readonly string[]
  /** That of the gateway that it replaces: the port is part of the issuer and of the cookies. */
  readonly port?: number
}

export async function openPlatform() {
  const people = await openPeople()
  const { database } = people
  const folder = await mkdtemp(path.join(tmpdir(), 'platform-'))
  const fixtures = await openFixtures({ reuse: { database, folder, pepper: peppers[0] } })
  let text = ''
  const log = createLog('json', lines => void (text += lines), undefined, false)
  return {
    people,
    fixtures,
    /** Every line of the log so far. */
    logged(): string {
      log.flush()
      return text
    },
    start: (settings: Started = {}) => startGateway({ people, fixtures, folder, log }, settings),
    async close() {
      await fixtures.close()
      await people.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Shared = {
  people: Awaited<ReturnType<typeof openPeople>>
  fixtures: Fixtures
  folder: string
  log: ReturnType<typeof createLog>
}

/** Tests state a client's address as a trusted proxy would. */
const addressOf = addressReader([ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')])

async function startGateway({ people, fixtures, folder, log }: Shared, given: Started) {
  const settings = { peppers, encryptionKeys, port: 0, ...given }
  const onError = (failure: unknown) => log.event('request.failed', describeFailure(failure))
  const listener = await listenForNode('127.0.0.1', settings.port)
  const issuer = `http://localhost:${listener.port}`
  const [pepper, ...olderPeppers] = settings.peppers
  const app = openAuthApp({
    url: people.database.urls.auth,
    poolSize: 8,
    issuer,
    resources,
    site: { name: 'Example Health', url: fixturesBase },
    own: ownOrigin(issuer, 'auth'),
    peppers: settings.peppers,
    encryptionKeys: settings.encryptionKeys,
    onError,
    now: () => people.clock.now,
  })
  listener.serve({
    url: issuer,
    guard: () => undefined,
    paths: new Set(app.paths),
    answer: app.answer,
    addressOf,
    newRequestId,
    log,
    onError,
  })
  const context = createContext({
    urls: people.database.urls,
    poolSize: 8,
    pepper,
    olderPeppers,
    encryptionKeys: settings.encryptionKeys,
    base: fixturesBase,
    storage: { folder },
    rateLimit: 1_000_000,
    onError,
  })
  const beside = { context, ada: fixtures.ada } as Fixtures
  const api = await openTestGateway({ beside })
  return {
    issuer,
    port: listener.port,
    /** A call of the API. */
    call: api.call,
    async stop() {
      await listener.stop(true)
      await app.close()
      await api.close()
      await context.auditWriter.flush()
      await context.close()
      for (const line of api.lines) log.request(line)
    },
  }
}
