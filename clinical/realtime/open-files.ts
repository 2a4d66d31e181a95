// How many subscribers a gateway takes. Each is an open file, and a process that has none left
// cannot connect to its database either: every call would fail, and not the next subscriber alone.
import { existsSync, readFileSync } from 'node:fs'

const file = '/proc/self/limits'

/** Half of the files that this process may open; without a limit where the system states none. */
export function subscribersMax(limits = statedLimits()): number {
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return files === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(files) / 2)
}

/** This file exists only on Linux. */
const statedLimits = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
