// Gateways with the API, all of AUTH_URL and the portal on one database, with people and the actual
// log output. Each gateway can be reopened with other peppers and encryption keys, like a restart.
import { openAuthApp } from '#auth/auth-app.ts'
import type { Peppers } from '#auth/pepper.ts'
import { encryptionKeys, openPeople, peppers } from '#auth/testing/people.ts'
import { createContext } from '#clinical/context.ts'
import { type Fixtures, fixturesBase, openFixtures } from '#clinical/testing/fixtures.ts'
import { addressReader } from '#http/client-address.ts'
import { createLog } from '#http/log.ts'
import { ownOrigin } from '#http/origins/own-origin.ts'
import { openSessionCalls } from '#clinical/rest/session-calls.ts'
import { currentAgreement } from '#content/agreement.ts'
import { openPortal } from '#portal/portal-app.ts'
import { guardOf } from '../origins/guard.ts'
import { moduleRouter } from '../origins/module-router.ts'
import { listen } from '../origins/listen.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { listenForNode } from '../origins/node-listener.ts'
import { describeFailure } from '#database/describe-failure.ts'
import { newRequestId } from '#http/http-request.ts'
import { openTestGateway } from './gateway.ts'

export const resources = { api: fixturesBase, mcp: 'http://localhost:3003/mcp' }

export type Platform = Awaited<ReturnType<typeof openPlatform>>
export type PlatformGateway = Awaited<ReturnType<Platform['start']>>

type Started = {
  readonly peppers?: Peppers
  readonly encryptionKeys?: readonly string[]
  /** The port of the gateway that this one replaces, because the issuer and cookies include the
   *  port. */
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
    /** Returns every log line so far. */
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

/** Tests set a client's address, as a trusted proxy would. */
const addressOf = addressReader([ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')])

async function startGateway({ people, fixtures, folder, log }: Shared, given: Started) {
  const settings = { peppers, encryptionKeys, port: 0, ...given }
  const onError = (failure: unknown) => log.event('request.failed', describeFailure(failure))
  const listener = await listenForNode('127.0.0.1', settings.port)
  const issuer = `http://localhost:${listener.port}`
  const pages = listen('127.0.0.1', 0)
  const portalUrl = `http://localhost:${pages.port}`
  const [pepper, ...olderPeppers] = settings.peppers
  const app = openAuthApp({
    url: people.database.urls.auth,
    poolSize: 8,
    issuer,
    resources,
    site: { name: 'Example Health', url: fixturesBase, email: 'hello@example.com' },
    own: ownOrigin(issuer, 'auth'),
    handoffUrls: { portal: portalUrl },
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
    isLiveOpen: () => true,
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
  const portal = servePortal({ pages, portalUrl, issuer, context, people, log, onError }, settings)
  const api = await openTestGateway({ beside: { context, ada: fixtures.ada } as Fixtures })
  return {
    issuer,
    portalUrl,
    port: listener.port,
    call: api.call,
    async stop() {
      await Promise.all([listener.stop(true), pages.stop(true)])
      await Promise.all([app.close(), portal.close()])
      await api.close()
      await context.auditWriter.flush()
      await context.close()
      for (const line of api.lines) log.request(line)
    },
  }
}

type PortalParts = Pick<Shared, 'people' | 'log'> & {
  pages: ReturnType<typeof listen>
  portalUrl: string
  issuer: string
  context: Fixtures['context']
  onError(failure: unknown): void
}

function servePortal(
  { pages, portalUrl, issuer, context, people, log, onError }: PortalParts,
  settings: Required<Started>,
) {
  const own = ownOrigin(portalUrl, 'portal')
  const portal = openPortal({
    url: people.database.urls.auth,
    poolSize: 4,
    peppers: settings.peppers,
    api: fixturesBase,
    authUrl: issuer,
    own,
    site: { name: 'Example Health', url: fixturesBase, email: 'hello@example.com' },
    agreement: currentAgreement(),
    clinical: openSessionCalls(context),
    onError,
  })
  const hosts = { refusalAt: () => undefined }
  const guard = guardOf('portal', hosts, own)
  const given = { addressOf, newRequestId, log, onError, guard, base: fixturesBase }
  pages.serve(moduleRouter({ ...given, ...portal }))
  return portal
}
