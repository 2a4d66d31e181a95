// `node deploy/run.mjs <file> …`: installs missing packages, then runs one of this repository's
// programs, so README.md's commands work in a new checkout.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { install, root, stop } from './install.mjs'

const [program = '', ...words] = process.argv.slice(2)
const source = path.join(root, program)
if (words.includes('--help') && fs.existsSync(source)) {
  const text = fs.readFileSync(source, 'utf8')
  const comment = /^(?:\/\/.*\n)+/.exec(text)?.[0]
  // A program without its own help is described by its head comment.
  if (comment !== undefined && !/\bhelp\b|[a-z]Help\b/.test(text)) {
    process.stdout.write(comment.replace(/^\/\/ ?/gm, ''))
    process.exit(0)
  }
}
// Matches programs that check, test, generate or pack. Other programs need fewer packages.
const forDevelopment =
  /^(bench|clients|contract|e2e|mutate|tidy|node_modules)\/|^database\/testing\/|^deploy\/check\.ts$/.test(
    program,
  )
const bun = await install({ forDevelopment })
const child = spawn(bun, [program, ...words], { cwd: root, stdio: 'inherit' })
// The terminal sends Ctrl-C to both processes, and the program decides when to exit.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void (signal === 'SIGTERM' && child.kill(signal)))
}
child.on('error', error => stop(`${program} could not be started: ${error.message}`))
child.on('close', code => process.exit(code ?? 1))
