// The decision about the worker's audit rows covers every job and every row that a job leaves.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createEncryption } from '#database/encryption.ts'
import { now } from '#database/clock.ts'
import { openJobs } from './jobs.ts'
import { httpPharmacy } from './pharmacy/http-provider.ts'
import { openPharmacyPool } from './pharmacy/transmit.ts'
import { ablyRealtime } from './realtime/ably.ts'
import { useFixtures } from './testing/fixtures.ts'

const fixtures = useFixtures()
const root = path.join(import.meta.dir, '..')
const decision = readFileSync(
  path.join(root, 'docs/decisions/0142-record-what-the-worker-does-in-live.md'),
  'utf8',
)
const isNamed = (name: string) => decision.includes(`\`${name}\``)

test('jobs: decision 0142 says of each job whether it leaves audit rows in live mode', async () => {
  const receivers = {
    addresses: { resolve: async () => [], allowed: [] },
    ca: undefined,
    seconds: 1,
  }
  const keys = { subscribe: 'app.one:secret', publish: 'app.two:secret' }
  const realtime = ablyRealtime({
    origin: 'https://rest.ably.io',
    keys: { test: keys, live: keys },
  })
  const encryption = createEncryption([fixtures.context.pepper])
  const pool = openPharmacyPool(fixtures.database.urls.pharmacy, 1)
  const { files, base } = fixtures.context
  const jobs = openJobs({
    auditSecret: 'a secret',
    files,
    base,
    scanner: null,
    webhooks: { encryption, realtime, receivers, sockets: 4 },
    pharmacy: { pool, encryption, provider: httpPharmacy({ outgoing: receivers, now }) },
  })
  await pool.close()
  expect(jobs.length).toBeGreaterThan(20)
  expect(jobs.map(({ name }) => name).filter(name => !isNamed(name))).toEqual([])
})

test('jobs: decision 0142 names every audit row that a job leaves', async () => {
  const written = /record_?[wW]ork\((?:mode, )?'(?!live')(\w+)'/g
  const actions = new Set<string>()
  for (const pattern of ['clinical/**/*.ts', 'database/migrations/*.sql'])
    for (const file of new Bun.Glob(pattern).scanSync(root)) {
      if (file.endsWith('.test.ts')) continue
      const text = readFileSync(path.join(root, file), 'utf8')
      for (const [, action = ''] of text.matchAll(written)) actions.add(action)
    }
  expect(actions.size).toBeGreaterThan(8)
  expect([...actions].filter(action => !isNamed(action))).toEqual([])
})
