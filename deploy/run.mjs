// `node deploy/run.mjs <file> …`: installs missing packages, then runs one of this repository's
// programs, so README.md's commands work in a new checkout.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { install, root, stop } from './install.mjs'

const [program = '', ...words] = process.argv.slice(2)
const help = helpOf(path.join(root, program))
if (help !== undefined) {
  if (words.includes('--help')) {
    process.stdout.write(help)
    process.exit(0)
  }
  // Programs would ignore it, and some take hours.
  const options = words.flatMap(word => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
  const unknown = options.find(option => !new RegExp(`${option}(?![\\w-])`).test(help))
  if (unknown !== undefined) stop(`Unknown option ${unknown}.\n\n${help}`, 2)
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

/** A program without its own help is described by its head comment, which names its options. */
function helpOf(source) {
  const text = fs.existsSync(source) ? fs.readFileSync(source, 'utf8') : ''
  if (/\bhelp\b|[a-z]Help\b/.test(text)) return undefined
  return /^(?:\/\/.*\n)+/.exec(text)?.[0].replace(/^\/\/ ?/gm, '')
}
