// The cast of every test: Ada's integration and Ben's, which must never see each other, and a
// clinic that granted both live access. People and places are invented.

import ipaddr from 'ipaddr.js'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  acceptAgreement,
  grant,
  issueKey,
  openIntegration,
  openOrganization,
  type KeyRequest,
} from '#auth/integrations.ts'
import type { Mode, Quota } from '#contract/operation.ts'
import { type ConnectionPool, openPool } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { type AppContextOptions, createContext } from '../context.ts'
import type { Bucket } from '../storage/s3.ts'
import { uploadEndpoint } from '../files/upload.ts'
import { countAlone } from '#http/counter.ts'
import { type WorkerContext, openWorkerContext } from '../jobs/testing/worker.ts'

const ownPepper = 'a pepper for tests'

export type Who = {
  integration: string
  organization: string
  test: string
  live: string
  testKey: string
}

/** No test asks the network for a name: one of these leads inside, every other to nobody. */
const resolveInvented = async (host: string): Promise<readonly string[]> =>
  ({
    'public.brand.example': ['192.0.9.1'],
    'inside.brand.example': ['192.0.9.1', '10.0.0.1'],
  })[host] ?? []

/** What houses share that answer for the same rows. It is not the cast's to remove. */
export type Place = { database: TestDatabase; folder: string; pepper: string }

type Settings = {
  rateLimit?: number
  /** Of what has a limit of its own: exports, redeliveries, triggers. */
  quota?: number
  poolSize?: number
  /** A bucket to keep documents in, instead of a folder. */
  bucket?: Bucket
  /** Addresses that webhooks of test mode may go to although they are not public. */
  allowed?: readonly string[]
  /** A house that others have on the same database and files: the cast moves in with it. */
  beside?: Place
}

const ofTheirOwn: ReadonlySet<string> = new Set<Quota>(['exports', 'redeliveries', 'triggers'])

const optionsOf = (
  { database, folder, pepper }: Place,
  settings: Settings,
  errors: unknown[],
): AppContextOptions => ({
  urls: database.urls,
  poolSize: settings.poolSize ?? 8,
  pepper,
  base: 'http://localhost:3000',
  storage: { folder, bucket: settings.bucket },
  rateLimit: settings.rateLimit ?? 1_000_000,
  addresses: {
    resolve: resolveInvented,
    allowed: (settings.allowed ?? []).map(text => [ipaddr.parse(text), 32] as const),
  },
  // Tests make more of them in a minute than an integrator may in an hour.
  counter: (name, points, seconds) =>
    countAlone(name, ofTheirOwn.has(name) ? (settings.quota ?? 1_000_000) : points, seconds),
  onError: failure => void errors.push(failure),
})

async function openPlace(): Promise<Place> {
  const database = await testDatabase()
  const folder = path.join(tmpdir(), `files of ${new URL(database.url).pathname.slice(1)}`)
  return { database, folder, pepper: ownPepper }
}

async function openMember(
  owner: ConnectionPool,
  pepper: string,
  clinic: string,
  name: string,
): Promise<Who> {
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

/** A house on a database of its own, with the cast in it. */
export async function openFixtures(settings: Settings = {}) {
  const place = settings.beside ?? (await openPlace())
  const { database, folder, pepper } = place
  const owner = openPool({ url: database.url, size: 2, name: 'fixtures' })
  const errors: unknown[] = []
  const openOne = () => createContext(optionsOf(place, settings, errors))
  let context = openOne()
  const key = async (asked: KeyRequest) =>
    (await owner.use(connection => issueKey(connection, pepper, asked))).key
  const clinic = await owner.use(connection =>
    openOrganization(connection, 'Example Clinic', 'example-clinic'),
  )
  const introduce = (name: string) => openMember(owner, pepper, clinic, name)
  const ada = await introduce("Ada's brand")
  const ben = await introduce("Ben's brand")
  let workerContext: WorkerContext | undefined
  const closeWorkerContext = async () => {
    await workerContext?.close()
    workerContext = undefined
  }
  const close = async () => {
    await closeWorkerContext()
    await context.close()
    await owner.close()
    if (settings.beside) return
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  /** As a restart of the gateway does, on the same database. */
  const reopen = async () => {
    await context.close()
    context = openOne()
  }
  return {
    database,
    owner,
    get context() {
      return context
    },
    /** What a worker does its jobs with. */
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
