// `npm run pack -- executables`: compiles the CLI into one file per system, with Bun's runtime, and
// writes the Homebrew and Scoop manifests. The runtimes are registry packages, verified against
// bun.lock. Runs only on Linux.

import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildCli } from './build.ts'
import { formula, type Packed, scoopManifest, type Target, targets } from './channels.ts'
import manifest from './manifest.json' with { type: 'json' }

const here = import.meta.dir
const clients = path.dirname(here)
const root = path.dirname(clients)

const isWindows = (target: Target) => target.startsWith('windows')

/** The target that this machine can run. */
export const ownTarget = Object.keys(targets).find(
  name => name === `${process.platform}-${process.arch}`.replace('darwin', 'macos'),
) as Target | undefined

function run(command: string[], cwd: string): string {
  const done = Bun.spawnSync(command, { cwd, stderr: 'pipe' })
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout.toString().trim()
}

function integrityOf(name: string): string {
  const lock = readFileSync(path.join(root, 'bun.lock'), 'utf8')
  const [, version, integrity] =
    new RegExp(`"@oven/${name}@([^"]+)".*"(sha512-[^"]+)"`).exec(lock) ?? []
  if (version === Bun.version && integrity !== undefined) return integrity
  throw new Error(`bun.lock doesn't have @oven/${name}@${Bun.version}`)
}

/** A target's runtime executable, from the registry or an earlier run. */
function runtimeOf(target: Target): string {
  if (target === ownTarget) return process.execPath
  const name = targets[target]
  const place = path.join(root, '.data/runtimes', `${name}-${Bun.version}`)
  const program = path.join(place, 'package/bin', isWindows(target) ? 'bun.exe' : 'bun')
  if (existsSync(program)) return program
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  run(['npm', 'pack', '--silent', `@oven/${name}@${Bun.version}`, '--pack-destination', '.'], place)
  const archive = readdirSync(place).find(one => one.endsWith('.tgz')) ?? ''
  const hash = createHash('sha512').update(readFileSync(path.join(place, archive)))
  if (`sha512-${hash.digest('base64')}` !== integrityOf(name)) {
    throw new Error(`@oven/${name} differs from bun.lock`)
  }
  run(['tar', '-xzf', archive], place)
  rmSync(path.join(place, archive))
  return program
}

/** Writes the program as packed for npm, and an entry file that embeds the program's files. */
async function stage(to: string): Promise<string> {
  await buildCli(to)
  const files = readdirSync(path.join(to, 'offline')).filter(name => name.endsWith('.json'))
  const imports = [...files.map(name => `offline/${name}`), 'licenses.txt'].map(
    (name, at) => `import file${at} from './${name}' with { type: 'file' }`,
  )
  const entry = path.join(to, 'executable.mjs')
  writeFileSync(
    entry,
    `${imports.join('\n')}
import jq from './offline/jq/jq.wasm' with { type: 'file' }
globalThis.svcFiles = [${imports.map((_, at) => `file${at}`).join(', ')}]
globalThis.svcRoot = jq.slice(0, -'/jq.wasm'.length)
globalThis.svcJq = () => require('./offline/jq/jq.js')
await import('./svc.js')
`,
  )
  return entry
}

async function compile(entry: string, target: Target, outfile: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: [entry],
    root: path.dirname(entry),
    external: ['@napi-rs/keyring'],
    naming: { asset: '[dir]/[name].[ext]' },
    // jq looks for its file in __dirname, which would otherwise be a folder on this machine.
    define: { __dirname: 'globalThis.svcRoot', __filename: 'globalThis.svcRoot' },
    // Files in the working folder must not change the program's behavior.
    compile: {
      target: targets[target],
      executablePath: runtimeOf(target),
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  if (!built.success) throw new AggregateError(built.logs, `${target} could not be compiled`)
}

/** Builds one target's program in its own folder. */
export async function buildExecutable(target: Target, to: string): Promise<string> {
  const program = path.join(to, isWindows(target) ? 'svc.exe' : 'svc')
  await compile(await stage(path.join(to, 'stage')), target, program)
  cpSync(path.join(to, 'stage/licenses.txt'), path.join(to, 'licenses.txt'))
  rmSync(path.join(to, 'stage'), { recursive: true })
  return program
}

async function packExecutable(target: Target, dist: string, folder: string): Promise<Packed> {
  await buildExecutable(target, folder)
  cpSync(path.join(clients, 'LICENSE'), path.join(folder, 'LICENSE'))
  const name = `svc-${manifest.version}-${target}.tar.gz`
  // Makes the archive reproducible: the same files produce the same bytes.
  const steady = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  const tar = ['tar', ...steady, '--use-compress-program=gzip -n', '-cf', path.join(dist, name)]
  run([...tar, '-C', folder, '.'], dist)
  const hash = createHash('sha256').update(readFileSync(path.join(dist, name)))
  return { target, name, hash: hash.digest('hex') }
}

/** `from` is the URL of the folder where the executables will be published. */
export async function packExecutables(dist: string, from: string): Promise<void> {
  const all: Packed[] = []
  for (const target of Object.keys(targets) as Target[]) {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-executable-'))
    try {
      all.push(await packExecutable(target, dist, folder))
    } catch (error) {
      const { message, errors = [] } = error as AggregateError
      console.log(`Left out ${target}: ${[message, ...errors].map(String).join('\n  ')}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  writeFileSync(path.join(dist, 'svc.rb'), formula(all, from, manifest))
  writeFileSync(path.join(dist, 'svc.json'), scoopManifest(all, from, manifest))
}

if (import.meta.main) {
  const dist = path.join(clients, 'dist')
  await packExecutables(dist, process.argv[2] ?? Bun.pathToFileURL(dist).href)
}
