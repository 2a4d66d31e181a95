// Fixtures for tests: two integrations, Ada's and Ben's, which must never see each other's rows,
// and a clinic that granted live access to both. People and places are fictional.

import { afterAll, beforeAll } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { KeyCreation } from '#auth/administration.ts'
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import type { Mode, Quota } from '#contract/operation.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { longWaits } from '#database/testing/long-waits.ts'
import { type AppContextOptions, createContext } from '../context.ts'
import type { Bucket } from '../storage/s3.ts'
import { uploadEndpoint } from '../files/upload.ts'
import { countInProcess } from '#http/limits/counter.ts'
import { type WorkerContext, openWorkerContext } from '../jobs/testing/worker.ts'

const ownPepper = 'a pepper for tests'

export type IntegrationFixture = {
  integration: string
  organization: string
  test: string
  live: string
  testKey: string
}

/** Resolves two names without the network. The second name also has a private address, and no other
 *  name resolves. */
const resolveTestHost = async (host: string): Promise<readonly string[]> =>
  ({
    'public.brand.example': ['192.0.9.1'],
    'inside.brand.example': ['192.0.9.1', '10.0.0.1'],
  })[host] ?? []

/** The database, folder and pepper, which contexts that serve the same rows share. Fixtures that
 *  reuse them don't remove them. */
export type FixtureStorage = { database: TestDatabase; folder: string; pepper: string }

type FixtureSettings = {
  rateLimit?: number
  /** The limit for operations with their own limit: exports, redeliveries, triggers. */
  quota?: number
  poolSize?: number
  /** Stores documents in this bucket instead of a folder. */
  bucket?: Bucket
  /** Private addresses that test mode webhooks may be sent to. */
  allowed?: readonly string[]
  /** An existing database and files, such as another process's. */
  reuse?: FixtureStorage
}

/** The fixtures' public origin. */
export const fixturesBase = 'http://localhost:3000'

const ownLimits: ReadonlySet<string> = new Set<Quota>(['exports', 'redeliveries', 'triggers'])

const optionsOf = (
  { database, folder, pepper }: FixtureStorage,
  settings: FixtureSettings,
  errors: unknown[],
): AppContextOptions => ({
  urls: database.urls,
  // Each connection in a file plans its own statements, which takes a tenth of the suite's time.
  poolSize: settings.poolSize ?? 4,
  pepper,
  base: fixturesBase,
  storage: { folder, bucket: settings.bucket },
  rateLimit: settings.rateLimit ?? 1_000_000,
  isLiveOpen: () => true,
  addresses: {
    resolve: resolveTestHost,
    allowed: (settings.allowed ?? []).map(text => [ipaddr.parse(text), 32] as const),
  },
  // Tests make more calls with their own limit in a minute than an integration may in an hour.
  counter: (name, points, seconds) =>
    countInProcess(name, ownLimits.has(name) ? (settings.quota ?? 1_000_000) : points, seconds),
  onError: failure => void errors.push(failure),
})

async function createStorage(): Promise<FixtureStorage> {
  const database = await testDatabase()
  const folder = path.join(tmpdir(), `files of ${new URL(database.url).pathname.slice(1)}`)
  return { database, folder, pepper: ownPepper }
}

async function openIntegrationFixture(
  owner: ConnectionPool,
  pepper: string,
  clinic: string,
  name: string,
): Promise<IntegrationFixture> {
  const sandbox = await owner.use(connection => openIntegration(connection, name))
  const { integration } = sandbox
  await owner.use(connection =>
    grant(connection, { integration, organization: clinic, mode: 'live' }),
  )
  await owner.use(connection => acceptAgreement(connection, integration, '2026-09-01'))
  const issue = (mode: Mode) =>
    owner.use(connection => issueKey(connection, pepper, { integration, mode, name: mode }))
  const [test, live] = [await issue('test'), await issue('live')]
  return { ...sandbox, test: test.key, testKey: test.id, live: live.key }
}

/** Opens a context on its own database, with two integrations and a clinic. */
export async function openFixtures(settings: FixtureSettings = {}) {
  const place = settings.reuse ?? (await createStorage())
  const { database, folder, pepper } = place
  const owner = openPool({ url: database.url, size: 2, name: 'fixtures', settings: longWaits })
  const errors: unknown[] = []
  const open = () => createContext(optionsOf(place, settings, errors))
  let context = open()
  const key = async (request: KeyCreation) =>
    (await owner.use(connection => issueKey(connection, pepper, request))).key
  const clinic = await owner.use(connection =>
    openOrganization(connection, 'Example Clinic', 'example-clinic', 'incidents@example.com'),
  )
  const openWithClinic = (name: string) => openIntegrationFixture(owner, pepper, clinic, name)
  const ada = await openWithClinic("Ada's brand")
  const ben = await openWithClinic("Ben's brand")
  let workerContext: WorkerContext | undefined
  const closeWorkerContext = async () => {
    await workerContext?.close()
    workerContext = undefined
  }
  const close = async () => {
    await closeWorkerContext()
    await context.close()
    await owner.close()
    if (settings.reuse) return
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  /** Creates a new context on the same database, like a gateway restart. */
  const reopen = async () => {
    await context.close()
    context = open()
  }
  return {
    database,
    owner,
    get context() {
      return context
    },
    /** Opened on first use. */
    get workerContext() {
      return (workerContext ??= openWorkerContext(database.urls))
    },
    folder,
    get upload() {
      return uploadEndpoint(context)
    },
    errors,
    clinic,
    ada,
    ben,
    key,
    closeWorkerContext,
    close,
    reopen,
  }
}

export type Fixtures = Awaited<ReturnType<typeof openFixtures>>

/** Opens fixtures before a file's tests and closes them after; their properties can be read once
 *  `beforeAll` hooks run: `const fixtures = useFixtures()`. */
export function useFixtures(settings: FixtureSettings = {}): Fixtures {
  let opened: Fixtures | undefined
  beforeAll(async () => {
    opened = await openFixtures(settings)
  })
  afterAll(() => opened?.close())
  const current = (): Fixtures => {
    if (!opened) throw new Error('fixtures open in beforeAll; read them in a hook or a test')
    return opened
  }
  return new Proxy({} as Fixtures, {
    get: (_, name) => Reflect.get(current(), name),
    // The next two traps are needed to spread the fixtures: { ...fixtures, context }.
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(current(), name),
      configurable: true,
    }),
  })
}
