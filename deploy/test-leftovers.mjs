// Leftovers of an `npm test` run: processes with their ports, folders, and shared memory of
// servers in them. A process belongs to the run if it has the run's mark in its environment, or its
// folder in its command line, because a PostgreSQL server gets its own environment.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { folderOfRun, isRunning } from './test-temporary.mjs'

/** An environment variable of everything the run starts: the id of the run's process. */
export const mark = 'TEST_RUN'

const read = file => {
  try {
    return fs.readFileSync(file, 'latin1').split('\0')
  } catch {
    // The process has exited, or belongs to another account.
    return []
  }
}

/** Processes from runs, each with its run's id. */
function processesOfRuns() {
  if (!fs.existsSync('/proc/self')) return []
  const pids = fs
    .readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && name !== `${process.pid}`)
  return pids.flatMap(pid => {
    const command = read(`/proc/${pid}/cmdline`).join(' ').trim()
    const marked = read(`/proc/${pid}/environ`).find(pair => pair.startsWith(`${mark}=`))
    const run = marked?.slice(mark.length + 1) ?? folderOfRun.exec(command)?.[1]
    // A process without a command line has exited, and its parent hasn't collected it.
    if (run === undefined || command === '' || run === pid) return []
    return [{ pid: Number(pid), run: Number(run), command: command.slice(0, 200) }]
  })
}

/**
 * Includes the shared memory that a PostgreSQL server maps, which remains after the server is
 * killed.
 */
function end({ pid }) {
  const maps = read(`/proc/${pid}/maps`).join('')
  const segments = new Set(maps.match(/\/dev\/shm\/PostgreSQL\.\d+/g))
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has exited since.
  }
  for (const segment of segments) fs.rmSync(segment, { force: true })
}

/** Ends killed runs' leftovers. */
export function endKilled() {
  const left = processesOfRuns().filter(({ run }) => !isRunning(run))
  for (const each of left) end(each)
}

/** The ports on which a process listens. */
function portsOf(pid) {
  const names = ['tcp', 'tcp6'].flatMap(name =>
    read(`/proc/${pid}/net/${name}`).join('').split('\n'),
  )
  const listening = new Map(
    names
      .map(line => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map(words => [`socket:[${words[9]}]`, Number.parseInt(words[1].split(':')[1], 16)]),
  )
  try {
    const files = fs.readdirSync(`/proc/${pid}/fd`)
    const links = files.map(file => fs.readlinkSync(`/proc/${pid}/fd/${file}`))
    return links.flatMap(link => listening.get(link) ?? [])
  } catch {
    return []
  }
}

/** The segments that servers with data in the folder would have removed when they stopped. */
function segmentsIn(folder) {
  if (folder === undefined || !fs.existsSync(folder) || !fs.existsSync('/proc/sysvipc/shm'))
    return []
  const present = new Set(
    fs
      .readFileSync('/proc/sysvipc/shm', 'utf8')
      .split('\n')
      .map(line => Number(line.trim().split(/\s+/)[1])),
  )
  return fs
    .readdirSync(folder, { recursive: true })
    .filter(name => path.basename(name) === 'postmaster.pid')
    .map(name =>
      Number(read(path.join(folder, name)).join('').split('\n')[6]?.trim().split(/\s+/)[1]),
    )
    .filter(id => present.has(id))
}

/**
 * Waits for exiting processes, then names, ends and removes all leftovers. `folder` holds the run's
 * temporary files, and `remove` removes it.
 */
export async function endLeftovers(run, { folder, remove, seconds = 10 } = {}) {
  const leftNow = () => processesOfRuns().filter(each => each.run === run)
  let left = leftNow()
  for (let last = Date.now() + seconds * 1000; left.length > 0 && Date.now() < last;) {
    await setTimeout(100)
    left = leftNow()
  }
  const lines = left.map(({ pid, command }) => {
    const ports = portsOf(pid)
    return `process ${pid}${ports.length > 0 ? ` on port ${ports.join(', ')}` : ''}: ${command}`
  })
  const segments = left.length > 0 ? [] : segmentsIn(folder)
  for (const each of left) end(each)
  for (const id of segments) spawnSync('ipcrm', ['-m', String(id)])
  lines.push(...segments.map(id => `shared memory ${id}`))
  remove?.()
  if (folder !== undefined && fs.existsSync(folder)) lines.push(`folder ${folder}`)
  return lines
}
