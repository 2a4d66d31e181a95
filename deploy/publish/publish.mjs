// Publishes this checkout's site: `node deploy/publish/publish.mjs --sites <folder>`. Runs in plain
// Node, because it first installs missing packages. `publish.ts` does the rest.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { install, root, stop } from '../install.mjs'

const bun = await install()
const script = path.join(root, 'deploy', 'publish', 'publish.ts')
const child = spawn(bun, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
child.on('error', error => stop(`Publishing couldn't start: ${error.message}`))
child.on('exit', code => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
