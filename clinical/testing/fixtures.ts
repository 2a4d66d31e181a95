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
import { type Lanes, openLanes } from '#database/pool.ts'
import { type TestDatabase, testDatabase } from '#database/testing/database.ts'
import { type HouseOptions, openHouse } from '../context.ts'
import type { Bucket } from '../storage/s3.ts'
import { uploadDoor } from '../files/upload.ts'
import { countAlone } from '#http/counter.ts'
import { type Hands, openHands } from '../jobs/testing/worker.ts'

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
  alarms: unknown[],
): HouseOptions => ({
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
  alarm: failure => void alarms.push(failure),
})

async function openPlace(): Promise<Place> {
  const database = await testDatabase()
  const folder = path.join(tmpdir(), `files of ${new URL(database.url).pathname.slice(1)}`)
  return { database, folder, pepper: ownPepper }
}

async function openMember(
  owner: Lanes,
  pepper: string,
  clinic: string,
  name: string,
): Promise<Who> {
  const sandbox = await owner.use(lane => openIntegration(lane, name))
  const { integration } = sandbox
  await owner.use(lane => grant(lane, { integration, organization: clinic, mode: 'live' }))
  await owner.use(lane => acceptAgreement(lane, integration, '2026-09-01'))
  const issue = (mode: Mode) =>
    owner.use(lane => issueKey(lane, pepper, { integration, mode, name: mode }))
  const [test, live] = [await issue('test'), await issue('live')]
  return { ...sandbox, test: test.key, testKey: test.id, live: live.key }
}

/** A house on a database of its own, with the cast in it. */
export async function openCast(settings: Settings = {}) {
  const place = settings.beside ?? (await openPlace())
  const { database, folder, pepper } = place
  const owner = openLanes({ url: database.url, size: 2, name: 'cast' })
  const alarms: unknown[] = []
  const openOne = () => openHouse(optionsOf(place, settings, alarms))
  let house = openOne()
  const key = async (asked: KeyRequest) =>
    (await owner.use(lane => issueKey(lane, pepper, asked))).key
  const clinic = await owner.use(lane => openOrganization(lane, 'Example Clinic', 'example-clinic'))
  const introduce = (name: string) => openMember(owner, pepper, clinic, name)
  const ada = await introduce("Ada's brand")
  const ben = await introduce("Ben's brand")
  let hands: Hands | undefined
  const closeHands = async () => {
    await hands?.close()
    hands = undefined
  }
  const close = async () => {
    await closeHands()
    await house.close()
    await owner.close()
    if (settings.beside) return
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  /** As a restart of the gateway does, on the same database. */
  const reopen = async () => {
    await house.close()
    house = openOne()
  }
  return {
    database,
    owner,
    get house() {
      return house
    },
    /** What a worker does its jobs with. */
    get hands() {
      return (hands ??= openHands(database.urls))
    },
    folder,
    get upload() {
      return uploadDoor(house)
    },
    alarms,
    clinic,
    ada,
    ben,
    key,
    closeHands,
    close,
    reopen,
  }
}

export type Cast = Awaited<ReturnType<typeof openCast>>
