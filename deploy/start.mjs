// `npm start`: installs missing packages, then runs the platform until Ctrl-C. This script runs in
// plain Node, because nothing else is installed yet. `--watch` restarts the platform whenever a
// source changes. npm turns its own `--verbose` into an environment variable.
import { spawn } from 'node:child_process'
import { install, root, stop } from './install.mjs'
import { portConflict } from './port.mjs'
import { onChange } from './watch.mjs'

const help = `Usage:
  npm start [-- --verbose]
  npm start -- worker
  npm run dev

Installs what's missing, builds the site if its sources changed, and runs the platform until you press
Ctrl-C: a gateway, a worker, and its own PostgreSQL unless DATABASE_URL is set. It uses PORT and the
next four ports; deploy/README.md lists every setting. worker runs another worker for DATABASE_URL.
dev restarts the platform when a source changes. --verbose prints each step and request.`

const words = process.argv.slice(2)
const unknown = words.find(word => !['--watch', '--verbose', '--help', 'worker'].includes(word))
if (unknown !== undefined) stop(`Unknown option "${unknown}".\n\n${help}`, 2)
if (words.includes('--help')) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
const isWorker = words.includes('worker')
const program = isWorker ? 'gateway/commands/worker.ts' : 'gateway/server/start.ts'
const watching = process.argv.includes('--watch')
const isVerbose =
  watching ||
  process.argv.includes('--verbose') ||
  process.env.npm_config_loglevel === 'verbose' ||
  process.stdout.isTTY !== true
const conflict = isWorker ? undefined : await portConflict(process.env, root)
if (conflict !== undefined) stop(conflict)
const bun = await install({ isVerbose })
let child
let restarting = false
let ending = false

function launch() {
  // The IPC channel closes even if this process is killed, and the platform then stops.
  child = spawn(bun, [program, ...(isVerbose ? ['--verbose'] : [])], {
    cwd: root,
    env: isVerbose ? process.env : { LOG_FORMAT: 'failures', ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.on('error', error => stop(`The platform couldn't start: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (restarting) {
      restarting = false
      launch()
    } else if (watching && !ending) {
      process.stdout.write('The platform stopped. It restarts when a source changes.\n')
      child = undefined
    } else if (signal === null) {
      process.exit(code)
    } else {
      stop(`The platform was stopped by ${signal}. Its data is safe; start it again.`, 1)
    }
  })
}

function end(signal) {
  ending = true
  if (child === undefined) process.exit(0)
  child.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))

// npm forwards signals, but a killed npm can't, so the platform would keep running and keep its
// port.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end('SIGTERM'), 500).unref()
}

launch()
if (watching) {
  onChange(root, file => {
    if (ending || restarting) return
    process.stdout.write(`${file} changed\n`)
    if (child === undefined) return launch()
    restarting = true
    child.kill('SIGTERM')
  })
}
