// Faults that change nothing that anyone can see: an engineer has decided so, and says why. They
// are listed in `accepted/`, a file for each module, by the text of their lines, and not tried.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Fault } from './files.ts'

/** `from` and `to`: the lines with and without the fault, with single blanks. */
export type Accepted = { file: string; from: string; to: string; reason: string }

export function readAccepted(root: string): Accepted[] {
  const folder = path.join(root, 'mutate', 'accepted')
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(
    name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Accepted[],
  )
}

export function reasonFor(fault: Fault, text: string, accepted: readonly Accepted[]) {
  const own = accepted.filter(({ file }) => file === fault.file)
  if (own.length === 0) return undefined
  const { from, to } = linesOf(fault, text)
  return own.find(one => one.from === from && one.to === to)?.reason
}

/** The lines of a fault without it and with it. */
export function linesOf({ start, end, replacement }: Fault, text: string) {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const last = next < 0 ? text.length : next
  return {
    from: short(text.slice(first, last)),
    to: short(text.slice(first, start) + replacement + text.slice(end, last)),
  }
}

const short = (text: string) => text.replace(/\s+/g, ' ').trim()
