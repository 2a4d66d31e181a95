// Where the temporary files of a run are: in memory, if there is enough of it. Copies of the
// sources, built sites, databases of fault tests and what a browser draws are a hundred thousand
// files that live for seconds, and a disk takes five times the processor time for each.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** A run needs less than a quarter of it. */
const bytesMin = 4 * 2 ** 30
const name = /^tests-(\d+)-/
/** In a command line: the innermost folder of a run, and its id. */
export const folderOfRun = /^.*\/tests-(\d+)-/s

/** The folder, and what removes it; undefined if the disk has to do. */
export function openTemporary(memory = '/dev/shm', bytes = bytesMin) {
  if (!fs.existsSync(memory)) return undefined
  removeLeftovers(memory)
  const { bavail, bsize } = fs.statfsSync(memory)
  if (bavail * bsize < bytes) return undefined
  const folder = fs.mkdtempSync(path.join(memory, `tests-${process.pid}-`))
  // What a test left running may still write.
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // Databases run as another account when this runs as root.
  fs.chmodSync(folder, 0o1777)
  if (runsPrograms(folder)) return { folder, remove }
  remove()
  return undefined
}

/** Removes what killed runs left behind, because files in memory stay until the machine
 *  restarts. */
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
    // The process of another account runs as well.
    return error.code === 'EPERM'
  }
}

/** Containers may forbid it for memory. */
function runsPrograms(folder) {
  const program = path.join(folder, 'program')
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  fs.rmSync(program)
  return status === 0
}
