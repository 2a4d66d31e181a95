// Where a run's temporary files are: in memory, if the machine has enough. Copies of the sources,
// built sites, fault-test databases and browser output are a hundred thousand files that live for
// seconds, and a disk takes five times the CPU time for each.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A run needs less than a quarter of this. */
const bytesMin = 4 * 2 ** 30
const name = /^tests-(\d+)-/
/** In a command line: a run's innermost folder, and its id. */
export const folderOfRun = /^.*\/tests-(\d+)-/s

/** The folder, and a function that removes it; undefined if the disk must be used. */
export function openTemporary(memory = '/dev/shm', bytes = bytesMin) {
  if (!fs.existsSync(memory)) return undefined
  removeLeftovers(memory)
  const { bavail, bsize } = fs.statfsSync(memory)
  if (bavail * bsize < bytes) return undefined
  const folder = fs.mkdtempSync(path.join(memory, `tests-${process.pid}-`))
  // A process that a test left running may still write.
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // When this runs as root, databases run as another account.
  fs.chmodSync(folder, 0o1777)
  if (runsPrograms(folder)) return { folder, remove }
  remove()
  return undefined
}

/** Removes killed runs' leftovers, because files in memory stay until the machine restarts. */
function removeLeftovers(memory) {
  for (const entry of fs.readdirSync(memory)) {
    const run = Number(name.exec(entry)?.[1] ?? Number.NaN)
    if (Number.isNaN(run) || isRunning(run)) continue
    fs.rmSync(path.join(memory, entry), { recursive: true, force: true })
  }
}

export function isRunning(run) {
  try {
    return process.kill(run, 0)
  } catch (error) {
    // Another account's process counts as running.
    return error.code === 'EPERM'
  }
}

/** Containers may forbid running programs from memory. */
function runsPrograms(folder) {
  const program = path.join(folder, 'program')
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  fs.rmSync(program)
  return status === 0
}
