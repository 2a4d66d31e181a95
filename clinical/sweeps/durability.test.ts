// Acknowledged writes survive a full disk and a power cut. PostgreSQL runs on a small disk that
// belongs to this test. When the disk is full, writes are refused until there's room, reads
// succeed, and no repair is needed. For a power cut, a second server starts on a copy of what the
// disk had flushed, and finds every acknowledged write. FAULT_ROUNDS sets the number of power cuts,
// and also fills the disk until PostgreSQL stops.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SQL } from 'bun'
import { type Embedded, startEmbedded } from '#database/embedded/server.ts'
import { openPool } from '#database/pool.ts'
import { migrate } from '#database/migrate.ts'
import { forEachRole, openRoles, roleUrls } from '#database/roles.ts'
import { onSmallDisk } from '#database/testing/on-small-disk.ts'
import { fill } from '#database/testing/small-disk.ts'
import { sql } from '#database/sql.ts'
import { until } from '#http/testing/until.ts'
import { invoke, invokeOk, type CallResult, rivera } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { createContext } from '../context.ts'
import { unknownId, queryAsOwner } from '../testing/assertions.ts'

/** The IDs of acknowledged writes, by idempotency key. */
type Acknowledged = ReadonlyMap<string, string>

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 0)

const onDisk = onSmallDisk({
  file: import.meta.path,
  title: 'acknowledged writes survive a full disk and a power cut',
  timeoutMs: 120_000 + 20_000 * rounds,
})

onDisk(({ mount, image }) => {
  const ballast = path.join(mount, 'ballast')
  const settings = { shared_buffers: '16MB', min_wal_size: '32MB', max_wal_size: '48MB' }
  const passwords = forEachRole(role => `password of ${role}`)
  const pepper = 'a pepper of a small disk'
  let folder = ''
  let server: Embedded
  let fixtures: Fixtures
  let calls = 0

  const databaseOf = ({ url }: Embedded) => {
    const urls = roleUrls(url, passwords)
    return { url, urls, close: async () => {} }
  }
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'files-'))
    server = await startEmbedded({
      dir: path.join(mount, 'postgres'),
      password: 'small',
      settings,
    })
    await using owner = new SQL(server.url, { max: 1 })
    await migrate(owner)
    await openRoles(server.url, passwords)
    fixtures = await openFixtures({ reuse: { database: databaseOf(server), folder, pepper } })
  })
  afterAll(async () => {
    await fixtures.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  /** Returns the same fixtures, with a context on another server. */
  const fixturesOn = (other: Embedded) => {
    const { url, urls } = databaseOf(other)
    const context = createContext({
      isLiveOpen: () => true,
      urls,
      poolSize: 2,
      pepper,
      base: fixtures.context.base,
      storage: { folder },
      rateLimit: 1_000_000,
      onError: failure => void fixtures.errors.push(failure),
    })
    return { ...fixtures, context, owner: openPool({ url, size: 1, name: 'after' }) }
  }
  type OtherFixtures = ReturnType<typeof fixturesOn>

  const write = (name: string, from: Fixtures = fixtures) => {
    calls++
    return invoke(from, 'createPatient', {
      as: fixtures.ada.test,
      key: name,
      body: { ...rivera, external_id: name },
    })
  }
  /** Each acknowledged write is stored once, with its event and its idempotency record. */
  async function expectStored(
    where: Fixtures,
    prefix: string,
    acknowledged: Acknowledged,
    others: 'none' | 'some',
  ) {
    type PatientRow = { name: string; id: string; events: number; records: number }
    const rows = await queryAsOwner<PatientRow>(
      where,
      sql`select p.external_id as name, p.id, count(e.id)::int as events,
                 (select count(*)::int from test.idempotency_keys k
                   where k.key = p.external_id) as records
            from test.patients p
            left join test.events e on e.tenant = p.tenant and e.resource_id = p.id
           where p.external_id like ${`${prefix}%`} group by p.tenant, p.id order by p.id`,
    )
    const found = new Map(rows.map(row => [row.name, row.id]))
    expect(rows.length).toBe(found.size)
    expect(rows.filter(row => row.events * row.records !== 1)).toEqual([])
    if (others === 'none') expect(found).toEqual(new Map(acknowledged))
    else for (const [name, id] of acknowledged) expect([name, found.get(name)]).toEqual([name, id])
  }

  test('a full disk: writes are refused with Retry-After, and succeed once there’s room', async () => {
    const acknowledged = new Map<string, string>()
    const refused: [string, CallResult][] = []
    const { id } = await invokeOk(fixtures, 'createPatient', { body: rivera })
    calls++
    fill(ballast)
    for (let turn = 0; refused.length < 20; turn++) {
      const reply = await write(`full-${turn}`)
      if (reply.status === 201) acknowledged.set(`full-${turn}`, reply.body.id)
      else refused.push([`full-${turn}`, reply])
    }
    for (const [, { code, headers, body }] of refused) {
      expect([code, headers['retry-after']]).toEqual(['service_unavailable', '30'])
      expect(body.detail).toBe('The database cannot accept writes right now.')
    }
    for (let turn = 0; turn < 40; turn++) {
      expect((await invoke(fixtures, 'getPatient', { id })).status).toBe(200)
      expect((await invoke(fixtures, 'listEvents', { query: { limit: '100' } })).status).toBe(200)
      expect((await invoke(fixtures, 'listMedications')).status).toBe(200)
      expect((await invoke(fixtures, 'getPatient', { id: unknownId('pat') })).code).toBe(
        'not_found',
      )
      expect((await invoke(fixtures, 'createPatient', { body: {} })).code).toBe('invalid_request')
      calls += 5
    }
    rmSync(ballast)
    Bun.spawnSync(['sync', '-f', mount])
    for (const [name] of refused) acknowledged.set(name, (await write(name)).body.id)
    for (const [name, known] of acknowledged) expect((await write(name)).body.id).toBe(known)
    await expectStored(fixtures, 'full-', acknowledged, 'none')
    // Every call has its audit row, even if the disk had no room for the row at the time.
    await fixtures.context.auditWriter.flush()
    const audited = sql`select count(*)::int as rows from audit.entries where surface = 'rest'`
    expect(await queryAsOwner(fixtures, audited)).toEqual([{ rows: calls }])
  })

  test.if(rounds > 0)(
    'a disk without room for the WAL: PostgreSQL stops, and recovers once there’s room',
    async () => {
      const acknowledged = new Map<string, string>()
      const log = path.join(mount, 'postgres.log')
      const panics = () => readFileSync(log, 'utf8').split('PANIC').length
      const before = panics()
      // Uses up the WAL segments that PostgreSQL had allocated in advance.
      for (let turn = 0; panics() === before && turn < 100; turn++) {
        const { status, body } = await write(`log-${turn}`)
        if (status === 201) acknowledged.set(`log-${turn}`, body.id)
        if (turn === 2) fill(ballast)
        await queryAsOwner(fixtures, sql`select pg_switch_wal()`).catch(() => undefined)
      }
      expect([panics() > before, acknowledged.size > 2]).toEqual([true, true])
      expect(['service_unavailable', null]).toContain((await write('log-during')).code)
      rmSync(ballast)
      await until(async () => (await write('log-after')).status === 201, 100)
      for (const [name, known] of acknowledged) expect((await write(name)).body.id).toBe(known)
      await expectStored(fixtures, 'log-', acknowledged, 'some')
    },
  )

  /** Copies and mounts what the disk has flushed so far, and starts a second server on it. */
  async function afterPowerCut(
    acknowledged: Acknowledged,
    work: (there: OtherFixtures, acknowledged: Acknowledged) => Promise<void>,
  ) {
    const pids = Bun.spawnSync(['pgrep', '-P', String(server.pid)])
      .stdout.toString()
      .split('\n')
    const all = [server.pid, ...pids.map(Number).filter(pid => pid > 0)]
    const copy = mkdtempSync(path.join(path.dirname(mount), 'copy-'))
    // Nothing may be flushed while the image is copied, so all server processes stop.
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    const before = new Map(acknowledged)
    expect(Bun.spawnSync(['cp', '--sparse=always', image ?? '', `${copy}.image`]).exitCode).toBe(0)
    for (const pid of all) process.kill(pid, 'SIGCONT')
    Bun.spawnSync(['chmod', '755', copy])
    expect(Bun.spawnSync(['mount', '-o', 'loop', `${copy}.image`, copy]).exitCode).toBe(0)
    const other = await startEmbedded({ dir: path.join(copy, 'postgres'), password: 'small' })
    const there = fixturesOn(other)
    try {
      await work(there, before)
    } finally {
      await Promise.all([there.context.close(), there.owner.close()])
      await other.stop()
      Bun.spawnSync(['umount', copy])
      rmSync(`${copy}.image`)
    }
  }

  test.skipIf(image === undefined)(
    'a power cut: every acknowledged write is stored, and its idempotency key replays',
    async () => {
      for (let round = 0; round < Math.max(1, rounds); round++) {
        const acknowledged = new Map<string, string>()
        const over = new AbortController()
        const client = async (name: string) => {
          for (let turn = 0; !over.signal.aborted; turn++) {
            const key = `cut-${round}-${name}-${turn}`
            const { status, body } = await write(key)
            if (status === 201) acknowledged.set(key, body.id)
          }
        }
        const clients = Promise.all(['a', 'b', 'c', 'd'].map(client))
        await until(() => acknowledged.size >= 40 + ((round * 7) % 30), 1)
        const cut = afterPowerCut(acknowledged, async (there, before) => {
          await expectStored(there, `cut-${round}-`, before, 'some')
          for (const [name, known] of before) {
            const { status, body, headers } = await write(name, there)
            expect([name, status, body.id]).toEqual([name, 201, known])
            expect(headers['idempotent-replayed']).toBe('true')
          }
        })
        over.abort()
        await clients
        await cut
      }
    },
  )
})
