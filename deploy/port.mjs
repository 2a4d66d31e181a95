// Checks before an installation whether the port is free, and names the process that uses it.
// Plain Node, because nothing else is installed yet.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/** Returns one sentence for the person who starts the platform, or nothing if the port is free. */
export async function portConflict({ PORT, HOST, DATA_DIR }, root) {
  const port = Number(PORT?.trim() || 3000)
  // Other values are refused by the settings, with the reason.
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  if (await isFree(port, HOST?.trim() || '127.0.0.1')) return undefined
  const dataDir = path.resolve(root, DATA_DIR?.trim() || '.data')
  const [state, own] = readIfThere(path.join(dataDir, 'app.state')).split(' ')
  const holder = holderOf(port)
  const isOwn = holder !== undefined && holder.pid === Number(own)
  // The next instance waits for this one.
  if (isOwn && state === 'stopping') return undefined
  if (isOwn) {
    return `The platform is already running from this folder, at port ${port} (process ${own}). Stop it with Ctrl-C where it runs, or with "kill ${own}". To run a second one, set PORT and DATA_DIR.`
  }
  const who =
    holder === undefined ? 'a process of another account' : `${holder.name} (process ${holder.pid})`
  const other = port < 65_535 ? port + 1 : port - 1
  return `Port ${port} is already in use by ${who}. Stop it, or choose another port: PORT=${other} npm start`
}

function isFree(port, host) {
  return new Promise(resolve => {
    const server = net.createServer()
    // Other failures, such as an address that this machine does not have, are reported later.
    server.once('error', error => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/** The process that listens at the port, if this account may see it. */
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

/** The listening sockets of a table, as /proc/<pid>/fd names them. */
function socketsAt(table, port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = readIfThere(`/proc/net/${table}`)
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  const isListening = ([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A'
  return rows.filter(isListening).map(columns => `socket:[${columns[9]}]`)
}

// Processes end, and those of other accounts cannot be read.
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
