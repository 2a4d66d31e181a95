// `npm start` on a small disk that fills up until PostgreSQL stops. The first time, PostgreSQL
// recovers in the reserved space. The second time it can't start, and until there's room, the
// gateway serves everything that needs no database.
import { afterAll, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { SQL } from 'bun'
import { rivera } from '#clinical/testing/call.ts'
import { isRunning, readPidFile } from '#database/embedded/postmaster.ts'
import { onSmallDisk } from '#database/testing/on-small-disk.ts'
import { fill } from '#database/testing/small-disk.ts'
import { until } from '#http/testing/until.ts'

const root = path.dirname(import.meta.dir)

const build = [process.execPath, path.join(root, 'site', 'build', 'build.ts')]
const buildSite = () => expect(Bun.spawnSync(build, { cwd: root }).exitCode).toBe(0)

const onDisk = onSmallDisk({
  file: import.meta.path,
  title: 'start: a full disk does not end the platform',
  megabytes: 640,
  timeoutMs: 400_000,
  prepare: buildSite,
})

onDisk(({ mount }) => {
  const dataDir = path.join(mount, 'data')
  const ballast = path.join(dataDir, 'postgres.ballast')
  const filler = path.join(mount, 'filler')
  /** The log is also on the full disk. */
  const log = path.join(mount, 'log')
  type Started = Bun.Subprocess<'ignore', Bun.BunFile, 'pipe'>
  const started: Started[] = []
  const postgres = path.join(dataDir, 'postgres')
  let url = ''
  let key = ''

  function start(): Started {
    const child = Bun.spawn([process.execPath, path.join(root, 'gateway/server/start.ts')], {
      cwd: root,
      stdout: Bun.file(log),
      stderr: 'pipe',
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0', LOG_FORMAT: 'json' },
    })
    started.push(child)
    return child
  }
  afterAll(async () => {
    rmSync(filler, { force: true })
    for (const child of started) {
      child.kill('SIGTERM')
      await child.exited
    }
  }, 60_000)

  const health = async () => {
    const answer = await fetch(`${url}/api/health`)
    const { checks } = await answer.json()
    const statusOf = (check: string) => checks[check][0].status
    return [answer.status, statusOf('disk:available'), statusOf('database:responseTime')]
  }
  const authorization = () => ({ authorization: `Bearer ${key}` })
  const createPatient = (name: string) =>
    fetch(`${url}/v1/patients`, {
      method: 'POST',
      headers: {
        ...authorization(),
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify(rivera),
    })

  /** Fills the disk, and uses up PostgreSQL's allocated WAL, until PostgreSQL stops. */
  async function fillUntilItStops() {
    const { pid = 0, port = 0 } = readPidFile(postgres) ?? {}
    const secrets = JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8'))
    const address = `postgres://app:${secrets.databasePassword}@127.0.0.1:${port}/app`
    const owner = new SQL(address, { max: 1 })
    // A checkpoint triggered by WAL size would recycle the WAL files forever.
    await owner`alter system set max_wal_size = '1TB'`
    await owner`select pg_reload_conf()`
    fill(filler)
    const stopped = until(() => !isRunning(pid, postgres))
    while (isRunning(pid, postgres)) {
      const switched = owner`select pg_logical_emit_message(false, 'full', 'x'), pg_switch_wal()`
      // If the server stops midway, the request may never get a response.
      await Promise.race([switched.catch(() => undefined), stopped])
    }
    void owner.close({ timeout: 0 })
  }

  test('recovers in the reserved space, then serves without a database until there is room', async () => {
    const child = start()
    const access = path.join(dataDir, 'dev.json')
    await until(() => existsSync(access) && readFileSync(access, 'utf8').includes('"url"'), 50)
    ;({ url, key } = JSON.parse(readFileSync(access, 'utf8')))
    await until(() => existsSync(ballast))
    expect(statSync(ballast).size).toBe(64 * 2 ** 20)
    expect((await createPatient('before')).status).toBe(201)

    await fillUntilItStops()
    await until(() => !existsSync(ballast))
    await until(async () => (await createPatient('recovered')).status === 201, 100)
    await until(async () => (await health())[2] === 'pass', 100)
    expect((await health())[1]).toBe('warn')

    await fillUntilItStops()
    for (const page of ['/', '/docs/quickstart.md', '/ask?query=webhooks', '/api/articles']) {
      expect([page, (await fetch(url + page)).status]).toEqual([page, 200])
    }
    await until(async () => (await health())[2] === 'fail', 100)
    expect(await health()).toEqual([503, 'fail', 'fail'])
    const refused = await createPatient('during')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const { code, hint } = await refused.json()
    expect([code, hint]).toEqual(['service_unavailable', expect.stringContaining('Retry-After')])
    expect(child.exitCode).toBeNull()

    rmSync(filler)
    await until(async () => (await createPatient('during')).status === 201, 100)
    await until(() => existsSync(ballast), 100)
    await until(async () => (await health())[0] === 200, 100)
    // The log also continues.
    expect(readFileSync(log, 'utf8')).toContain('"event":"database.returned"')
    const found = await fetch(`${url}/v1/patients`, { headers: authorization() })
    expect((await found.json()).data).toHaveLength(3)
  }, 300_000)

  test('a start on a full disk names the disk and the fix', async () => {
    for (const child of started.splice(0)) {
      child.kill('SIGTERM')
      await child.exited
    }
    rmSync(ballast)
    const checkout = path.join(mount, 'checkout')
    for (const name of ['package.json', 'bun.lock', 'deploy']) {
      cpSync(path.join(root, name), path.join(checkout, name), { recursive: true })
    }
    fill(filler)
    const install = Bun.spawnSync(['node', 'deploy/start.mjs'], {
      cwd: checkout,
      env: { ...process.env, PORT: '0' },
      stdout: 'ignore',
    })
    expect([install.exitCode, install.stderr.toString()]).toEqual([
      1,
      expect.stringMatching(/^The disk with .* is full: .* needed for packages\..*\n$/),
    ])
    const child = start()
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toMatch(
      /^The disk with .* is full: \d+ MB free, 32 MB needed\. Free up space, .*\n$/,
    )
  }, 120_000)
})
