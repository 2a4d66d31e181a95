// How many subscribers a gateway accepts. Each is an open file, and a process with none left can't
// connect to its database either: every call would fail, not only the next subscriber.
import { existsSync, readFileSync } from 'node:fs'

const file = '/proc/self/limits'

/** Half the files this process may open; no limit if the system states none. */
export function subscribersMax(limits = statedLimits()): number {
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return files === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(files) / 2)
}

/** This file exists only on Linux. */
const statedLimits = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
