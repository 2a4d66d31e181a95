// Saves each drill's last report, which `npm run proof` adds to its archive.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const kept = path.join(import.meta.dir, '../../../.data/drills')

/** `elsewhere` is an additional file to write. */
export function keepReport(drill: string, report: object, elsewhere?: string): void {
  const text = `${JSON.stringify({ drill, ended_at: new Date().toISOString(), ...report }, null, 2)}\n`
  mkdirSync(kept, { recursive: true })
  for (const file of [path.join(kept, `${drill}.json`), elsewhere ?? []].flat()) {
    writeFileSync(file, text)
  }
}
