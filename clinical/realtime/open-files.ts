// Limits a gateway's subscribers. Each uses an open file, and a process that runs out of files
// can't connect to its database either, so every call would fail, not only new subscribers.
import { existsSync, readFileSync } from 'node:fs'

const file = '/proc/self/limits'

/** Half the files this process may open; no limit if the system reports none. */
export function subscribersMax(limits = statedLimits()): number {
  const [, files] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return files === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(files) / 2)
}

/** This file exists only on Linux. */
const statedLimits = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
