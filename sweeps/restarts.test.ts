// Two gateways behind the written nginx file, restarted in turns under load, as `restart` of
// deploy/one-machine does. RESTARTS has how many times; 100 lose nothing either.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rivera } from '#clinical/testing/call.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import type { SiteTable } from '#gateway/edge/header-table.ts'
import { nginxConfig } from '#gateway/edge/nginx.ts'
import { nginx, untilItAnswers } from '#gateway/testing/web-servers.ts'
import {
  type GatewayProcess,
  type Installation,
  openInstallation,
} from './testing/gateway-process.ts'

const restarts = Number(process.env['RESTARTS'] ?? 2)
const mustRun = process.env['CI'] === 'true'
const isMissing = nginx === undefined || !existsSync(nginx)

let installation: Installation
let gateways: [GatewayProcess, GatewayProcess]
let url = ''
let web: Bun.Subprocess | undefined
const place = mkdtempSync(path.join(tmpdir(), 'restarts-'))
const settings = { DRAIN_DELAY_SECONDS: '1', ALLOWED_HOSTS: 'localhost' }

beforeAll(async () => {
  if (isMissing && !mustRun) return
  installation = await openInstallation()
  gateways = [await installation.start(settings), await installation.start(settings)]
  const port = await freePort()
  const answer = { file: '/x.html', status: 200, headers: {} }
  const table: SiteTable = {
    rows: [],
    missing: { html: answer, markdown: answer, problem: answer },
  }
  const config = nginxConfig(table, {
    root: place,
    listen: `${port}`,
    gateways: gateways.map(gateway => `127.0.0.1:${gateway.port}`),
    brotli: false,
  })
  chmodSync(place, 0o755)
  mkdirSync(path.join(place, 'tmp'))
  writeFileSync(path.join(place, 'nginx.conf'), config)
  web = Bun.spawn([nginx ?? '', '-p', place, '-c', 'nginx.conf'], { stderr: 'ignore' })
  url = `http://localhost:${port}`
  await untilItAnswers(url)
}, 120_000)
afterAll(async () => {
  web?.kill()
  await web?.exited
  await installation?.close()
  rmSync(place, { recursive: true })
}, 60_000)

/** Reads and writes without a pause until the caller stops it; then the statuses that came. */
function load(workers: number) {
  const counts = new Map<number | string, number>()
  const ended = new AbortController()
  const ask = async (write: boolean) => {
    const answer = await fetch(`${url}/v1/${write ? 'patients' : 'organization'}`, {
      method: write ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${installation.key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(write && { body: JSON.stringify(rivera) }),
    })
    await answer.bytes()
    return answer.status
  }
  const work = async () => {
    for (let turn = 0; !ended.signal.aborted; turn++) {
      const status = await ask(turn % 2 === 1).catch((failure: Error) => failure.message)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  const running = Promise.all(Array.from({ length: workers }, work))
  return async () => {
    ended.abort()
    await running
    return counts
  }
}

test.skipIf(isMissing && !mustRun)(
  'restarts: no request is lost while one gateway after the other restarts',
  async () => {
    const stop = load(4)
    for (let turn = 0; turn < restarts; turn++) {
      const at = turn % 2
      const old = gateways[at] as GatewayProcess
      old.child.kill('SIGTERM')
      expect(await old.child.exited).toBe(0)
      gateways[at] = await installation.start(settings, '/api/ready', old.port)
    }
    const counts = await stop()
    expect([...counts.keys()].toSorted()).toEqual([200, 201])
    expect(counts.get(201)).toBeGreaterThan(restarts)
  },
  120_000 + restarts * 30_000,
)
