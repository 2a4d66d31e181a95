// Starts a folder's platform, waits until it's ready, and stops it.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { openApi, wait } from '../api/client.ts'
import { environment, nodeProgram, now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import { version } from '../version.ts'
import { startFile } from './find.ts'

export type Access = { readonly url: string; readonly key: string; readonly portal_url: string }

export type Platform = {
  readonly access: Access
  /** Resolves when the platform exits by itself. */
  readonly ended: Promise<void>
  setClock(time: string): Promise<void>
  stop(): Promise<void>
}

const portsNeeded = 5

const isFree = (port: number) =>
  new Promise<boolean>(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Returns the first of five consecutive free ports. */
async function freePorts(): Promise<number> {
  for (let first = 4700; first < 6000; first += 10) {
    const all = Array.from({ length: portsNeeded }, (_, at) => isFree(first + at))
    if ((await Promise.all(all)).every(Boolean)) return first
  }
  throw new CommandError(
    'failed',
    "couldn't find five free ports in a row",
    'Choose one with --port.',
  )
}

export type StartSettings = {
  readonly folder: string
  readonly isEphemeral: boolean
  readonly isReset: boolean
  readonly port?: number
  readonly data: string
  readonly databaseUrl?: string
  readonly onLine: (line: string) => void
}

/** Variables that describe this machine rather than a project. A `DATABASE_URL` in the shell
 *  belongs to the project where the command runs, not to the platform. */
const ofTheMachine =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|USERPROFILE|SYSTEMROOT|COMSPEC|PATHEXT|(LOCAL)?APPDATA|XDG_\w+|((HTTPS?|NO|ALL)_PROXY)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|npm_config_\w+)$/i

const ownEnvironment = () =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => ofTheMachine.test(name)))

const startMaxMs = 10 * 60_000

/** Waits for the file in which the platform writes its URLs once it's ready. */
async function readyAccess(file: string, since: number, failed: () => string | undefined) {
  const end = now() + startMaxMs
  while (now() < end) {
    const fault = failed()
    if (fault !== undefined)
      throw new CommandError('unavailable', 'the platform did not start', fault)
    const isNew = existsSync(file) && statSync(file).mtimeMs >= since
    const access = isNew ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Access>) : {}
    if (access.url && access.key) return access as Access
    await wait(200)
  }
  throw new CommandError('unavailable', "the platform didn't start within ten minutes")
}

export async function startPlatform(settings: StartSettings): Promise<Platform> {
  const { folder, isEphemeral, isReset, onLine } = settings
  const data = isEphemeral
    ? mkdtempSync(path.join(os.tmpdir(), 'svc-dev-'))
    : path.resolve(settings.data)
  if (isReset) rmSync(data, { recursive: true, force: true })
  const port = settings.port ?? (isEphemeral ? await freePorts() : undefined)
  const began = now()
  const child = spawn(nodeProgram, [path.join(folder, startFile)], {
    cwd: folder,
    env: {
      ...ownEnvironment(),
      DATA_DIR: data,
      ...(port === undefined ? {} : { PORT: String(port) }),
      ...(settings.databaseUrl === undefined ? {} : { DATABASE_URL: settings.databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const last: string[] = []
  let hasEnded = false
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => {
      last.push(line)
      if (last.length > 10) last.shift()
      onLine(line)
    })
  }
  const ended = new Promise<void>(resolve => {
    child.once('exit', () => {
      hasEnded = true
      resolve()
    })
  })
  const stop = async () => {
    if (!hasEnded) child.kill('SIGTERM')
    await ended
    if (isEphemeral) rmSync(data, { recursive: true, force: true })
  }
  // Ctrl-C reaches both processes. This process waits until the platform has stopped its database.
  process.removeAllListeners('SIGINT')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(130)))
  }
  const failed = () => (hasEnded ? last.join('\n') : undefined)
  const access = await readyAccess(path.join(data, 'dev.json'), began, failed).catch(
    async (error: unknown) => {
      await stop()
      throw error
    },
  )
  return { access, ended, stop, setClock: time => setClock(access, time) }
}

async function setClock({ url, key }: Access, time: string): Promise<void> {
  const secret = () => Promise.resolve(key)
  const api = openApi({ baseUrl: url, version, timeoutMs: 30_000, secret })
  const path = '/preview/test/clock'
  await api.call({ method: 'POST', path, body: { set_to: time } })
  for (;;) {
    const { body } = await api.call({ method: 'GET', path })
    if (!(body as { is_advancing: boolean }).is_advancing) return
    await wait(250)
  }
}
