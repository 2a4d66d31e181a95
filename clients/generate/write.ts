// Writes generated files.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const clients = path.dirname(import.meta.dir)
const textAt = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/**
 * Writes the files that differ, by path inside clients/, and removes files in the folder that are
 * no longer generated. Other processes can safely write the same files concurrently.
 */
export function write(wanted: ReadonlyMap<string, string>, folder: string): void {
  for (const name of new Bun.Glob(`${folder}/**/*.*`).scanSync({ cwd: clients })) {
    if (!wanted.has(name)) rmSync(path.join(clients, name), { force: true })
  }
  for (const [name, text] of wanted) {
    const file = path.join(clients, name)
    if (textAt(file) === text) continue
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  }
}
