// `npm start`: installs missing packages, then runs the platform until Ctrl-C. Plain Node, because
// nothing else is installed yet. `--watch` restarts the platform whenever a source changes.
import { spawn } from 'node:child_process'
import { install, root, stop } from './install.mjs'
import { onChange } from './watch.mjs'

const watching = process.argv.includes('--watch')
const bun = await install()
let child
let restarting = false
let ending = false

function launch() {
  // The IPC channel closes even when this process is killed; the platform then stops by itself.
  child = spawn(bun, ['gateway/server/start.ts'], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.on('error', error => stop(`The platform could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (restarting) {
      restarting = false
      launch()
    } else if (watching && !ending) {
      process.stdout.write('The platform has stopped; it starts again when a source changes.\n')
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

// npm passes signals on, but not if it is killed outright: then the platform would keep running and
// hold the port.
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
