// Installs missing packages with only Node 20 and npm: first the pinned Bun, which then installs
// the packages in bun.lock. Returns the path of Bun. Needs no network if nothing is missing.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

// By default, Bun has one thread per processor for reading files, resolving some names and hashing
// passwords. With two threads, two files that don't respond would keep everyone from signing in.
process.env.UV_THREADPOOL_SIZE ??= '16'
const modules = path.join(root, 'node_modules')
const toolchain = path.join(root, '.data', 'toolchain')
const stampFile = path.join(modules, '.installed')

if (Number(process.versions.node.split('.')[0]) < 20) {
  stop(`Node 20 or newer is required. You have Node ${process.versions.node}.`)
}

/**
 * `forDevelopment` also installs packages that only checks, tests and packing need; without it,
 * existing packages are kept. `isVerbose` prints lines; without it, a single line is printed and
 * then removed.
 */
export async function install({ isVerbose = true, forDevelopment = false } = {}) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const [stamp, whole] = [stampOf(manifest), stampOf(manifest, true)]
  const version = manifest.dependencies.bun
  const present = findBun(modules, version)
  const isDone = () =>
    readIfThere(stampFile) === whole || (!forDevelopment && readIfThere(stampFile) === stamp)
  if (present && isDone()) return present
  const isWhole = forDevelopment || readIfThere(stampFile)?.endsWith(wholeMark) === true
  checkDisk(isWhole ? 1500 : 900)
  const release = await takeLock()
  try {
    const bun =
      findBun(modules, version) ||
      findBun(path.join(toolchain, 'node_modules'), version) ||
      (await fetchBun(version, isVerbose))
    if (!isDone() || !findBun(modules, version)) {
      // Our own dependencies already include the peers we need. Other peers are for compilers.
      const left = isWhole ? [] : ['--production', '--omit=peer']
      await run('Installing packages', bun, ['install', '--frozen-lockfile', ...left], isVerbose)
      replaceStubs(version)
      markInstalled(isWhole)
    }
    return findBun(modules, version) || bun
  } finally {
    release()
  }
}

/** Stops if the disk has no space for the packages and their downloads. */
function checkDisk(installMegabytes) {
  const { bavail, bsize } = fs.statfsSync(root)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free >= installMegabytes) return
  stop(
    `The disk with ${root} is full: ${free} MB free, ${installMegabytes} MB needed for packages. Free up space, then run npm start again.`,
  )
}

/** Prints one line instead of a stack trace, and exits. */
export function stop(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** Records that the packages are installed. Also used for a checkout packed with its packages. */
export function markInstalled(isWhole = false) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  fs.writeFileSync(stampFile, stampOf(manifest, isWhole))
}

const wholeMark = ' with those of development'

/** A hash of the dependencies, the lock file and the platform, but not of package.json's
 *  scripts. */
function stampOf({ dependencies, optionalDependencies, devDependencies }, isWhole = false) {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([dependencies, optionalDependencies, devDependencies]))
  hash.update(fs.readFileSync(path.join(root, 'bun.lock')))
  hash.update(`${process.platform} ${process.arch}`)
  return hash.digest('hex') + (isWhole ? wholeMark : '')
}

function readIfThere(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

/**
 * Finds the real program. If install scripts were disabled, bun/bin/bun.exe is a stub of a few
 * hundred bytes, and the program is in the package for this platform.
 */
function findBun(folder, version) {
  const platforms = path.join(folder, '@oven')
  const candidates = [path.join(folder, 'bun', 'bin', 'bun.exe')]
  for (const name of fs.existsSync(platforms) ? fs.readdirSync(platforms) : []) {
    candidates.push(path.join(platforms, name, 'bin', 'bun'))
  }
  return candidates.find(file => {
    const isProgram = fs.existsSync(file) && fs.statSync(file).size > 1_000_000
    if (!isProgram) return false
    return spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim() === version
  })
}

/** Replaces the stub, so `npm run check` and other scripts find Bun in node_modules/.bin. */
function replaceStubs(version) {
  const real = findBun(modules, version)
  const called = path.join(modules, 'bun', 'bin', 'bun.exe')
  if (!real || real === called) return
  fs.rmSync(called, { force: true })
  fs.linkSync(real, called)
}

async function fetchBun(version, isVerbose) {
  const folder = path.join(toolchain, 'fetched')
  fs.mkdirSync(folder, { recursive: true })
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', ...flags, `bun@${version}`]
  // npm installs into the nearest folder with a package.json. With --prefix, npm wouldn't read the
  // machine's settings, such as its certificates.
  fs.writeFileSync(path.join(folder, 'package.json'), '{}')
  // npm passes its own path to its scripts, because npm may not be on PATH.
  const npm = process.env.npm_execpath
  const isNpm = npm !== undefined && path.basename(npm) === 'npm-cli.js'
  await run(
    `Fetching Bun ${version}`,
    isNpm ? process.execPath : 'npm',
    isNpm ? [npm, ...args] : args,
    isVerbose,
    folder,
  )
  // The download is moved into place at the end, so an interrupted download is never used.
  fs.rmSync(path.join(toolchain, 'node_modules'), { recursive: true, force: true })
  fs.renameSync(path.join(folder, 'node_modules'), path.join(toolchain, 'node_modules'))
  const bun = findBun(path.join(toolchain, 'node_modules'), version)
  if (!bun) stop(`Bun ${version} was downloaded, but doesn't run on this machine.`)
  return bun
}

/**
 * Runs a program, shows its progress, and prints its output only if it fails.
 */
function run(title, program, args, isVerbose, cwd = root) {
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  const emptyLine = '\r\u001b[K'
  // Prints to standard error, because standard output belongs to the program that runs next.
  const say = line => process.stderr.write(isVerbose ? `${line}\n` : `${emptyLine}${line}`)
  const clear = () => void (isVerbose || process.stderr.write(emptyLine))
  say(`${title} …`)
  const timer = setInterval(() => say(`  … ${title}, ${seconds()}`), isVerbose ? 5000 : 1000)
  let output = ''
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  return new Promise(resolve => {
    child.on('error', error => stop(`${title} failed: ${error.message}`))
    child.on('close', code => {
      clearInterval(timer)
      clear()
      if (code !== 0) stop(`${output.trim()}\n\n${title} failed; the reason is above.`)
      if (isVerbose) say(`  done in ${seconds()}`)
      resolve()
    })
  })
}

/** Lets only one process install at a time; others wait. */
async function takeLock() {
  fs.mkdirSync(path.join(root, '.data'), { recursive: true })
  const file = path.join(root, '.data', 'install.lock')
  for (let tries = 0; ; tries++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => fs.rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') stop(`${file} could not be written: ${error.message}`)
    }
    const holder = Number(readIfThere(file))
    if (!isAlive(holder) || holder === process.pid) fs.rmSync(file, { force: true })
    else if (tries === 0)
      process.stderr.write(`Waiting for process ${holder}, which is installing …\n`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
