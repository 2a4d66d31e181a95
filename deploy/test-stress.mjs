// `npm run test:stress`: runs the tests in variations that find dependence on speed, order, zone or
// locale. Each run takes the next variation, with another file order; a failure's seed repeats its
// order.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { install, root } from './install.mjs'
import { dropMissingLocale } from './test-locale.mjs'
import { browserTestsOf } from './test-named.mjs'
import { testFiles } from './test-order.mjs'

const help = `Usage:
  npm run test:stress
  npm run test:stress -- [--runs=20] [--from=1] [--seed=1] [<folder or file>…]

Runs all tests, or the folders you name, --runs times: in random file order, on one processor and on
all of them, alongside two busy processes, in three time zones and two locales. Browser tests run on
all processors only. It doesn't stop at a failure, and lists the runs that failed; --from=7 --runs=1
repeats only the seventh.`

const { values, positionals } = optionsOf(process.argv.slice(2))
if (values.help) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}

const zones = ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Apia']
const locales = ['C', 'de_DE.UTF-8']
const busy = 'for (;;) Math.sqrt(2)'

function optionsOf(args) {
  const number = value => ({ type: 'string', default: value })
  const options = { runs: number('20'), from: number('1'), seed: number('1') }
  const all = { ...options, help: { type: 'boolean', default: false } }
  try {
    return parseArgs({ args, allowPositionals: true, options: all })
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}\n`)
    process.exit(2)
  }
}

/** Numbers from 0 to 1, the same numbers for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Files start in order of duration, so random durations make a random order. */
function writeOrder(file, seed) {
  const random = randomFrom(seed)
  const files = testFiles(root).map(name => [name, Math.ceil(random() * 100_000)])
  fs.writeFileSync(file, JSON.stringify({ version: 1, files: Object.fromEntries(files) }))
}

const formOf = (at, seed) => ({
  TZ: zones[at % zones.length],
  LANG: locales[at % locales.length],
  isPinned: at % 4 < 2 && process.platform === 'linux',
  isLoaded: at % 2 === 1,
  seed: seed + at,
})

async function runForm(bun, form, folder) {
  const { TZ, LANG, isPinned, isLoaded } = form
  const env = { ...process.env, TZ, LANG, LC_ALL: LANG }
  dropMissingLocale(env)
  const load = isLoaded ? [1, 2].map(() => spawn(process.execPath, ['-e', busy])) : []
  try {
    const code = await run(unitTests(bun, form, folder), env)
    if (isPinned || positionals.length > 0) return code
    return code || (await run([process.execPath, ...browserTestsOf('last')], env))
  } finally {
    for (const process of load) process.kill('SIGKILL')
  }
}

function unitTests(bun, { isPinned, seed }, folder) {
  const order = path.join(folder, 'order.json')
  writeOrder(order, seed)
  const parallel = isPinned ? 1 : os.availableParallelism() + 1
  const words = ['test', `--parallel=${parallel}`, '--no-isolate', `--timings=${order}`]
  const pinned = isPinned ? ['taskset', '-c', '0'] : []
  return [...pinned, bun, ...words, '--timeout=120000', ...positionals]
}

function run([program, ...args], env) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env })
  return new Promise(resolve => {
    child.on('error', () => resolve(1))
    child.on('close', code => resolve(code ?? 1))
  })
}

const bun = await install({ forDevelopment: true })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stress-'))
const failed = []
try {
  // Tests of the clients read generated files, which aren't committed.
  await run([bun, 'clients/generate/generate.ts'], process.env)
  const first = Number(values.from) - 1
  for (let at = first; at < first + Number(values.runs); at++) {
    const form = formOf(at, Number(values.seed))
    const name = `run ${at + 1}: ${JSON.stringify(form)}`
    process.stdout.write(`\n── ${name}\n`)
    if ((await runForm(bun, form, folder)) !== 0) failed.push(name)
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`\n${failed.length} of ${values.runs} runs failed\n${failed.join('\n')}\n`)
if (failed.length > 0) process.exitCode = 1
