// Starts the browser tests' server as a newcomer does, with `npm start` in a fresh checkout, as an
// ordinary user whose home folder and caches are empty.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { turnSettings } from './turn.ts'
import { receiverSettings } from './receiver.ts'
import { root, shellOf, workingDir } from './servers.ts'

type Account = { uid: number; gid: number }
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** An ordinary account if this runs as root; undefined otherwise. */
function ordinaryAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid = Number.NaN, gid = Number.NaN] = ['-u', '-g'].map(flag =>
    Number.parseInt(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout),
  )
  const mayRunNode = spawnSync('node', ['--version'], { cwd: '/', uid, gid }).status === 0
  if (mayRunNode) return { uid, gid }
  process.stdout.write('Runs as root: no other account may run Node on this machine.\n')
  return undefined
}

const given = (program: string, args: string[], cwd: string) =>
  spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout

/** Copies this folder's files as they are, so tests cover uncommitted changes. */
function copyTo(folder: string): void {
  const listed = given('git', ['ls-files', '-co', '--exclude-standard', '-z'], root)
  for (const name of listed.split('\0').filter(each => each !== '')) {
    const source = path.join(root, name)
    if (existsSync(source)) cpSync(source, path.join(folder, name))
  }
  const who = ['-c', 'user.name=Newcomer', '-c', 'user.email=newcomer@example.com']
  given('git', ['init', '--quiet', '--initial-branch=main'], folder)
  given('git', ['add', '--all'], folder)
  given('git', [...who, 'commit', '--quiet', '--message=the checkout'], folder)
}

/** Whether npm can download packages on this machine now. */
async function isOnline(registry: string): Promise<boolean> {
  return fetch(registry, { method: 'HEAD', signal: AbortSignal.timeout(20_000) })
    .then(() => true)
    .catch(() => false)
}

async function open() {
  const place = mkdtempSync(path.join(tmpdir(), 'newcomer-'))
  chmodSync(place, 0o755)
  const [folder, home] = [path.join(place, 'app'), path.join(place, 'home')]
  mkdirSync(folder)
  mkdirSync(home)
  copyTo(folder)
  writeFileSync(
    path.join(home, '.gitconfig'),
    '[user]\n\tname = Newcomer\n\temail = newcomer@example.com\n',
  )
  // Uses this machine's registry.
  const registry = given(npm, ['config', 'get', 'registry'], root).trim()
  writeFileSync(path.join(home, '.npmrc'), `registry=${registry}\n`)
  const online = await isOnline(registry)
  if (!online) {
    const said = 'No registry answers: the checkout uses the packages and the user of this run.'
    process.stdout.write(`${said}\n`)
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  }
  const account = online ? ordinaryAccount() : undefined
  if (account) {
    const { uid, gid } = account
    chownSync(place, uid, gid)
    given('chown', ['--no-dereference', '-R', `${uid}:${gid}`, folder, home], place)
  }
  // The tests expect the checkout here.
  mkdirSync(path.dirname(workingDir), { recursive: true })
  const there = lstatSync(workingDir, { throwIfNoEntry: false })
  if (there?.isSymbolicLink()) unlinkSync(workingDir)
  else rmSync(workingDir, { recursive: true, force: true })
  symlinkSync(folder, workingDir)
  return { place, folder, home, account }
}

/** Removes the folder in a separate process, in case this process is killed first. */
function removeAfterwards(place: string): void {
  const script = 'while kill -0 "$0"; do sleep 1; done; rm -rf "$1"'
  const words = ['-c', script, String(process.pid), place]
  spawn('sh', words, { detached: true, stdio: 'ignore' }).unref()
}

async function main(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { place, folder, home, account } = await open()
  removeAfterwards(place)
  const child: ChildProcess = spawn(npm, ['start'], {
    cwd: folder,
    ...account,
    env: {
      ...shellOf(home, environment),
      PORT: '0',
      // All tests send requests from one address, and together exceed one caller's limit.
      SITE_RATE_LIMIT_REQUESTS: '100000',
      ...receiverSettings(),
      ...turnSettings(),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const ended = Promise.withResolvers<number | null>()
  child.on('error', ended.reject)
  child.on('close', ended.resolve)
  const code = await ended.promise
  // One of the commands that tests run there starts a test database.
  if (lstatSync(path.join(folder, '.data', 'test'), { throwIfNoEntry: false })) {
    const stop = ['deploy/run.mjs', 'database/testing/database.ts', 'stop']
    spawnSync('node', stop, { cwd: folder, ...account, env: shellOf(home, environment) })
  }
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code ?? 1)
}

if (import.meta.main) await main(process.env)
