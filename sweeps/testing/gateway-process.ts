// Runs gateways as processes, like in production. The gateways have their own PostgreSQL server,
// because roles belong to a whole server and get this installation's passwords.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { issueKey, openIntegration } from '#auth/integrations.ts'
import { freePort } from '#database/embedded/postmaster.ts'
import { openPool } from '#database/pool.ts'
import { openRoles } from '#database/roles.ts'
import { startInstalled } from '#database/testing/installed.ts'
import { writeBuild } from '#gateway/testing/builds.ts'
import { until } from '#http/testing/until.ts'
import { rolePasswords } from '#gateway/settings/credentials.ts'

const root = path.join(import.meta.dir, '../..')
const pepper = 'a pepper that only these processes know'

export type Installation = Awaited<ReturnType<typeof openInstallation>>
export type GatewayProcess = Awaited<ReturnType<Installation['start']>>

const otherPorts = { AUTH_PORT: '0', MCP_PORT: '0', PORTAL_PORT: '0', CONSOLE_PORT: '0' }

export async function openInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateways-'))
  // PostgreSQL runs under another account when this runs as root, and must reach its files.
  chmodSync(folder, 0o755)
  const dir = path.join(folder, 'postgres')
  const given = { password: 'password', durable: false, watch: false }
  const database = await startInstalled({ dir, ...given })
  await openRoles(database.url, rolePasswords(pepper))
  const key = await keyIn(database.url)
  const site = siteIn(folder)
  const started: Bun.Subprocess[] = []
  const launch = (port: number, settings: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, path.join(root, 'gateway/server/main.ts')], {
      cwd: root,
      stdout: 'ignore',
      stderr: 'pipe',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.url,
        KEY_PEPPER: pepper,
        SEAL_KEYS: pepper,
        DATA_DIR: path.join(folder, `${port}`),
        SITE_DIR: site,
        PORT: `${port}`,
        ...otherPorts,
        ...settings,
      },
    })
    started.push(child)
    return child
  }
  return {
    database,
    key,
    pepper,
    /** Starts a gateway that is expected to fail. Returns its exit code and its output. */
    async refused(settings: Record<string, string> = {}) {
      for (;;) {
        const child = launch(await freePort(), settings)
        const said = { text: await new Response(child.stderr).text(), code: await child.exited }
        if (!said.text.includes('EADDRINUSE')) return said
      }
    },
    /** Starts a gateway. Resolves when the probe passes. */
    async start(settings: Record<string, string> = {}, probe = '/api/ready') {
      for (;;) {
        const port = await freePort()
        const child = launch(port, settings)
        const { statusOf, call } = callersOf(port, key)
        await until(async () => child.exitCode !== null || (await statusOf(probe)) === 200)
        if (child.exitCode === null) return { port, child, statusOf, call }
        const text = await new Response(child.stderr).text()
        // If another test took the port in the meantime, tries another port.
        if (!text.includes('EADDRINUSE')) throw new Error(text)
      }
    },
    async close() {
      for (const each of started) each.kill('SIGKILL')
      await Promise.all(started.map(each => each.exited))
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A small site, because loading the real site takes a third of a gateway's start. */
function siteIn(folder: string): string {
  const site = path.join(folder, 'site')
  writeBuild(site, 1)
  return site
}

async function keyIn(url: string): Promise<string> {
  const pool = openPool({ url, size: 1, name: 'processes' })
  const { integration } = await pool.use(connection => openIntegration(connection, 'Processes'))
  const asked = { integration, mode: 'test', name: 'processes' } as const
  const { key } = await pool.use(connection => issueKey(connection, pepper, asked))
  await pool.close()
  return key
}

const callersOf = (port: number, key: string) => ({
  /** Returns null if nothing is listening. */
  statusOf: (at: string) =>
    fetch(`http://127.0.0.1:${port}${at}`, { keepalive: false }).then(
      async answer => (await answer.text(), answer.status),
      () => null,
    ),
  async call(at: string, body?: object) {
    const answer = await fetch(`http://localhost:${port}${at}`, {
      method: body ? 'POST' : 'GET',
      // A keep-alive connection may be closed while a gateway leaves rotation.
      keepalive: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { answer, body: await answer.json() }
  },
})
