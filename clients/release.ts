// Creates a release's files from a clean checkout: the packages in clients/dist/, their checksums,
// and the sources of the packages. Nothing is published. Run this program with `node deploy/run.mjs
// clients/release.ts`.

import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { packed } from './pack.ts'

const here = import.meta.dir
const root = path.dirname(here)
const dist = path.join(here, 'dist')

function run(command: string[]): string {
  const done = Bun.spawnSync(command, { cwd: root, stderr: 'pipe' })
  if (done.exitCode !== 0) stop(`${command.join(' ')}\n${done.stdout}${done.stderr}`)
  return done.stdout.toString().trim()
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}

/** Fails if the changelog doesn't describe this version. */
function checkChangelogs(): void {
  const { version } = JSON.parse(readFileSync(path.join(here, 'typescript/manifest.json'), 'utf8'))
  const text = readFileSync(path.join(here, 'typescript/CHANGELOG.md'), 'utf8')
  if (!text.includes(`\n## ${version}\n`)) {
    stop(`clients/typescript/CHANGELOG.md doesn't mention ${version}.`)
  }
}

const changed = run(['git', 'status', '--porcelain'])
if (changed !== '')
  stop(`A release is built from a commit, but these files differ from it:\n${changed}`)
checkChangelogs()
const apiChanges = run([process.execPath, 'contract/releases/record.ts', '--check'])
await rm(dist, { recursive: true, force: true })
run([process.execPath, 'clients/pack.ts'])
const first = packed()
run([process.execPath, 'clients/pack.ts'])
const differing = packed().filter(({ hash }, at) => hash !== first[at]?.hash)
if (differing.length > 0) {
  stop(`These files differ between two builds: ${differing.map(({ name }) => name).join(', ')}`)
}

const lines = first.map(({ name, hash }) => `${hash}  ${name}\n`).join('')
writeFileSync(path.join(dist, 'SHA256SUMS'), lines)
const provenance = {
  commit: run(['git', 'rev-parse', 'HEAD']),
  committed_at: run(['git', 'show', '-s', '--format=%cI', 'HEAD']),
  command: 'node deploy/run.mjs clients/release.ts',
  runtime: `bun ${Bun.version}`,
  lock_file: new Bun.CryptoHasher('sha256')
    .update(readFileSync(path.join(root, 'bun.lock')))
    .digest('hex'),
  files: first,
}
writeFileSync(path.join(dist, 'provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`)
console.log(
  `${apiChanges}\n${lines}clients/dist/SHA256SUMS and clients/dist/provenance.json describe them.`,
)
