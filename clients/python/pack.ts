// Builds the Python library's wheel and source archive into clients/dist/.

import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { model } from '../generate/model.ts'
import { writePython } from '../generate/python/python.ts'

/** The oldest Python version that the library supports. */
const oldest = [3, 9] as const

/** The command for a new enough Python, or null without one. */
export function findPython(names: readonly string[] = ['python3', 'python']): string | null {
  const check = `import sys; sys.exit(sys.version_info < (${oldest.join(', ')}))`
  const isNewEnough = (name: string) =>
    Bun.which(name) !== null && Bun.spawnSync([name, '-c', check]).exitCode === 0
  return names.find(isNewEnough) ?? null
}

/** Builds both archives. Returns the paths of the wheel and the source archive. */
export function packPython(python: string, to: string): [wheel: string, archive: string] {
  writePython(model)
  const done = Bun.spawnSync([python, 'build_backend.py', to], { cwd: import.meta.dir })
  if (done.exitCode !== 0) throw new Error(done.stderr.toString())
  const [wheel = '', archive = ''] = done.stdout.toString().trim().split('\n')
  return [path.join(to, wheel), path.join(to, archive)]
}

if (import.meta.main) {
  const python = findPython()
  if (python === null) {
    console.log(
      `The Python library was not packed: this machine has no Python ${oldest.join('.')}.`,
    )
  } else {
    const dist = path.resolve(import.meta.dir, '../dist')
    mkdirSync(dist, { recursive: true })
    // Removes older versions, so `svc_sdk-*.whl` matches only one file.
    for (const old of new Bun.Glob('svc_sdk-*').scanSync({ cwd: dist })) {
      rmSync(path.join(dist, old))
    }
    for (const file of packPython(python, dist)) {
      console.log(path.basename(file))
    }
  }
}
