// Starts a PostgreSQL other than the packages' own, to test statements. `openPostgres` starts an
// empty server from Debian's programs, and `close` stops it.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** The versions that the platform promises to run on besides its packages' own. */
export const oldest = '15'

const programsOf = version => `/usr/lib/postgresql/${version}/bin`

export const isInstalled = version => fs.existsSync(path.join(programsOf(version), 'initdb'))

/** Runs a PostgreSQL program, which refuses root, and throws its output if it fails. */
function run(version, program, args) {
  const words = [path.join(programsOf(version), program), ...args]
  const other = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
  const [first, ...rest] = process.getuid() === 0 ? [...other, ...words] : words
  const options = { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }
  const { status, stderr, error } = spawnSync(first, rest, options)
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`)
}

const settings = {
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  max_connections: 300,
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  log_min_messages: 'fatal',
}

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** `within`: the folder for the server's data. */
export async function openPostgres(version, within = os.tmpdir()) {
  const folder = fs.mkdtempSync(path.join(within, 'postgres-'))
  const at = name => path.join(folder, name)
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  try {
    if (process.getuid() === 0) spawnSync('chown', ['postgres', folder])
    fs.writeFileSync(at('password'), password, { mode: 0o644 })
    const login = ['-U', 'app', `--pwfile=${at('password')}`, '-A', 'scram-sha-256']
    const kind = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    run(version, 'initdb', ['-D', at('data'), ...login, ...kind])
    fs.rmSync(at('password'))
    const lines = Object.entries({ ...settings, port }).map(
      ([name, value]) => `${name} = '${value}'`,
    )
    fs.appendFileSync(at('data/postgresql.conf'), `${lines.join('\n')}\n`)
    run(version, 'pg_ctl', ['-D', at('data'), '-w', '-l', at('log'), 'start'])
  } catch (error) {
    remove()
    throw error
  }
  return {
    url: `postgres://app:${password}@127.0.0.1:${port}/postgres`,
    close() {
      run(version, 'pg_ctl', ['-D', at('data'), '-w', '-m', 'immediate', 'stop'])
      remove()
    },
  }
}
