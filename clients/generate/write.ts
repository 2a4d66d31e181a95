// Puts generated files into place.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const clients = path.dirname(import.meta.dir)
const textAt = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Generated files, by path inside clients/, and old files that are no longer generated. */
export function changes(wanted: ReadonlyMap<string, string>, folder: string) {
  const found = [...new Bun.Glob(`${folder}/**/*.*`).scanSync({ cwd: clients })]
  return {
    written: [...wanted].filter(([name, text]) => textAt(path.join(clients, name)) !== text),
    removed: found.filter(name => !wanted.has(name)),
  }
}

/** Another process writing the same file meanwhile does no harm; returns the names of changed
 *  files. */
export function write(wanted: ReadonlyMap<string, string>, folder: string): string[] {
  const { written, removed } = changes(wanted, folder)
  for (const name of removed) rmSync(path.join(clients, name), { force: true })
  for (const [name, text] of written) {
    const file = path.join(clients, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  }
  return [...written.map(([name]) => name), ...removed]
}
