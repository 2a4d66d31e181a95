// An entry of `accepted/` whose lines have changed accepts nothing any more, and nothing says so.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Accepted, linesOf, readAccepted } from './accepted.ts'
import { faultOf, getsFaults } from './files.ts'
import { mutantsOf } from './mutants.ts'

// Every file with an entry is parsed, which takes its time on a busy machine.
setDefaultTimeout(60_000)

const root = path.dirname(import.meta.dir)

/** The entries that name no fault of the files as they are, or the same one once more. */
function outdated(accepted: readonly Accepted[], read: (file: string) => string | undefined) {
  const textOf = ({ from, to }: Pick<Accepted, 'from' | 'to'>) => `${from} → ${to}`
  return [...Map.groupBy(accepted, one => one.file)].flatMap(([file, own]) => {
    const text = getsFaults(file) ? read(file) : undefined
    const changes = text === undefined ? [] : mutantsOf(text, file)
    const made = changes.map(change =>
      textOf(linesOf(faultOf(file, text ?? '', change), text ?? '')),
    )
    const left = new Set(made)
    // What an entry has named is taken out, so that a second entry finds nothing.
    return own.filter(one => !left.delete(textOf(one))).map(one => `${file}: ${textOf(one)}`)
  })
}

test('accepted: every entry names a fault that would be made, once, with a reason', () => {
  const accepted = readAccepted(root)
  expect(accepted.length).toBeGreaterThan(50)
  const found = outdated(accepted, file => {
    const at = path.join(root, file)
    return existsSync(at) ? readFileSync(at, 'utf8') : undefined
  })
  // Its lines have changed: write them as they are now, or remove the entry.
  expect(found).toEqual([])
  expect(accepted.filter(({ reason }) => !/^[A-Z`].*\.$/s.test(reason))).toEqual([])
})

test('accepted: an entry for another line, another fault, a missing file or twice is found', () => {
  const entry = { file: 'a/age.ts', from: 'f(age > 18)', to: 'f(age >= 18)', reason: 'As said.' }
  const read = (file: string) => (file === 'a/age.ts' ? 'f(age > 18)\n' : undefined)
  expect(outdated([entry], read)).toEqual([])
  const wrong = [
    { ...entry, from: 'f(age > 21)' },
    { ...entry, to: 'f(age < 18)' },
    { ...entry, file: 'a/gone.ts' },
    { ...entry, file: 'a/age.test.ts' },
  ]
  expect(wrong.map(one => outdated([one], read).length)).toEqual([1, 1, 1, 1])
  expect(outdated([entry, entry], read)).toEqual(['a/age.ts: f(age > 18) → f(age >= 18)'])
})
