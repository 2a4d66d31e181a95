// Checks before an installation whether the ports are free, and names the processes that use them.
// Runs in plain Node, because nothing else is installed yet.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/** The other modules' port settings. Unset ports default to the ports after PORT, in this order. */
const others = ['AUTH_PORT', 'MCP_PORT', 'PORTAL_PORT', 'CONSOLE_PORT']

/** Returns one sentence for the person starting the platform, or nothing if the ports are free. */
export async function portConflict(environment, root) {
  const host = setting(environment, 'HOST') ?? '127.0.0.1'
  const taken = []
  for (const each of portsOf(environment)) {
    if (!(await isFree(each.port, host))) taken.push({ ...each, holder: holderOf(each.port) })
  }
  if (taken.length === 0) return undefined
  const dataDir = path.resolve(root, setting(environment, 'DATA_DIR') ?? '.data')
  const [state, own] = readIfThere(path.join(dataDir, 'app.state')).split(' ')
  const mine = taken.find(({ holder }) => holder?.pid === Number(own))
  // The new instance waits until the old instance has stopped.
  if (mine !== undefined && state === 'stopping') return undefined
  if (mine !== undefined) {
    return `The platform is already running from this folder, on port ${mine.port} (process ${own}). Stop it with Ctrl-C where it runs, or with "kill ${own}". To run a second one, set PORT and DATA_DIR.`
  }
  const held = taken.map(
    ({ port, holder }, at) =>
      `${at === 0 ? 'Port' : 'port'} ${port} is already in use by ${nameOf(holder)}`,
  )
  const [it, port] = taken.length === 1 ? ['it', 'another port'] : ['them', 'other ports']
  const free = await freeSettings(environment, taken, host)
  return `${held.join(', and ')}. Stop ${it}, or choose ${port}: ${free} npm start`
}

const setting = (environment, name) => environment[name]?.trim() || undefined
const nameOf = holder =>
  holder === undefined ? "another account's process" : `${holder.name} (process ${holder.pid})`

/** Skips invalid values; settings validation rejects them with a reason. */
const isPort = port => Number.isInteger(port) && port > 0 && port <= 65_535

function portsOf(environment) {
  const first = Number(setting(environment, 'PORT') ?? 3000)
  const all = others.map((name, at) => {
    const own = setting(environment, name)
    const next = first === 0 ? 0 : first + at + 1
    return { name, isSet: own !== undefined, port: Number(own ?? next) }
  })
  return [{ name: 'PORT', isSet: false, port: first }, ...all].filter(({ port }) => isPort(port))
}

/** Settings that choose free ports. */
async function freeSettings(environment, taken, host) {
  const changed = {}
  for (const { name, port } of taken.filter(({ isSet }) => isSet)) {
    const used = new Set(portsOf(environment).map(each => each.port))
    changed[name] = await next(port, each => !used.has(each) && isFree(each, host))
  }
  if (taken.some(({ isSet }) => !isSet)) {
    const last = Math.max(...taken.filter(({ isSet }) => !isSet).map(({ port }) => port))
    changed.PORT = await next(last, async port => {
      const all = portsOf({ ...environment, ...texts(changed), PORT: String(port) })
      const isDistinct = new Set(all.map(each => each.port)).size === others.length + 1
      const free = await Promise.all(all.map(each => isFree(each.port, host)))
      return isDistinct && free.every(Boolean)
    })
  }
  return Object.entries(changed)
    .map(([name, port]) => `${name}=${port}`)
    .join(' ')
}

const texts = changed =>
  Object.fromEntries(Object.entries(changed).map(([name, port]) => [name, String(port)]))

/** The first usable port after this one, or from the start of the range. */
async function next(after, willDo) {
  const start = after < 65_000 ? after + 1 : 3000
  for (let port = start; port < 65_500; port++) if (await willDo(port)) return port
  return start
}

function isFree(port, host) {
  return new Promise(resolve => {
    const server = net.createServer()
    // Other failures, such as an address that this machine does not have, are reported later.
    server.once('error', error => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/** The process listening on the port, if this account may see it. */
function holderOf(port) {
  if (process.platform === 'linux') return holderInProc(port)
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']
  const { stdout } = spawnSync('lsof', args, { encoding: 'utf8' })
  const [, pid, name] = /^p(\d+)\nc(.*)$/m.exec(stdout ?? '') ?? []
  return pid === undefined ? undefined : { pid: Number(pid), name }
}

function holderInProc(port) {
  const sockets = new Set(['tcp', 'tcp6'].flatMap(table => socketsAt(table, port)))
  for (const pid of fs.readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`
    if (filesIn(folder).some(file => sockets.has(targetOf(path.join(folder, file))))) {
      const [program = ''] = readIfThere(`/proc/${pid}/cmdline`).split('\0')
      return { pid: Number(pid), name: path.basename(program) }
    }
  }
  return undefined
}

/** A table's listening sockets, by their names in /proc/<pid>/fd. */
function socketsAt(table, port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = readIfThere(`/proc/net/${table}`)
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  const isListening = ([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A'
  return rows.filter(isListening).map(columns => `socket:[${columns[9]}]`)
}

// Reading fails if a process has exited or belongs to another account.
const readable = (read, otherwise) => {
  try {
    return read()
  } catch {
    return otherwise
  }
}
const readIfThere = file => readable(() => fs.readFileSync(file, 'utf8'), '')
const filesIn = folder => readable(() => fs.readdirSync(folder), [])
const targetOf = link => readable(() => fs.readlinkSync(link), '')
