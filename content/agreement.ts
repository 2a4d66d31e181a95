// The business associate agreement: each version is a file in content/agreement, named by its date.
// An owner accepts a version's text with its SHA-256, so an accepted version is never edited; a
// change is a new file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fill } from './fill.ts'

export type AgreementText = { readonly version: string; readonly text: string }

const folder = join(import.meta.dir, 'agreement')

/** The newest version. */
export function currentAgreement(): AgreementText {
  const file = readdirSync(folder)
    .filter(name => /^\d{4}-\d\d-\d\d\.md$/.test(name))
    .toSorted()
    .at(-1)
  if (file === undefined) throw new Error('content/agreement has no version')
  return { version: file.slice(0, 10), text: fill(readFileSync(join(folder, file), 'utf8')) }
}
