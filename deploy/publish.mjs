// Publishes the site of this checkout: `node deploy/publish.mjs --sites <folder>`. Plain Node,
// because it installs what is missing first; the work is done by publish.ts.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { install, root, stop } from './install.mjs'

const bun = await install()
const script = path.join(root, 'deploy', 'publish.ts')
const child = spawn(bun, [script, ...process.argv.slice(2)], { stdio: 'inherit' })
child.on('error', error => stop(`Publishing could not be started: ${error.message}`))
child.on('exit', code => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
