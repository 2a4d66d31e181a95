// `npm test`: installs missing packages, then runs all checks and tests except the nightly tests,
// which `npm test -- nightly` runs. Given folders or files, as in `npm test clinical/patients`, it
// runs only their tests. A failed stage ends the run after its last test. With MUTATE_MINUTES, it
// then puts faults into the changed code for that many minutes; the score never fails the run. The
// last lines say why tests failed, and total the counts of all stages. A run that leaves a process,
// its folder or its database behind fails.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { install, root } from './install.mjs'
import { openCheckout } from './test-checkout.mjs'
import { browserTestsOf, help, runNamed } from './test-named.mjs'
import { nightlyFiles, testFiles, writeDurations } from './test-order.mjs'
import { endKilled, endLeftovers, mark } from './test-leftovers.mjs'
import { dropMissingLocale } from './test-locale.mjs'
import { isInstalled, oldest, openPostgres } from './test-postgres.mjs'
import { countsOf, failuresOf } from './test-report.mjs'
import { openTemporary } from './test-temporary.mjs'

const words = process.argv.slice(2)
if (words.includes('--help')) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
if (words[0]?.startsWith('--')) {
  process.stderr.write(`Unknown option ${words[0]}.\n\n${help}\n`)
  process.exit(2)
}
dropMissingLocale(process.env)
const bun = await install({ forDevelopment: true })
const isNightly = words[0] === 'nightly'
if (words.length > 0 && !isNightly) process.exit(runNamed(bun, words))
const results = path.join(root, '.data', 'results')
const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const children = new Set()
process.env[mark] = String(process.pid)
endKilled()
const temporary = openTemporary()
const inTemporary = temporary ? { TMPDIR: temporary.folder } : {}
fs.rmSync(results, { recursive: true, force: true })
fs.mkdirSync(results, { recursive: true })

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
    process.exitCode = 1
  })
}

function run(args, environment = {}, program = bun) {
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }
  return new Promise(resolve => {
    const child = spawn(program, args, { ...options, env: { ...process.env, ...environment } })
    children.add(child)
    child.on('error', error => {
      process.stderr.write(`${program}: ${error.message}\n`)
      resolve(1)
    })
    child.on('close', code => {
      children.delete(child)
      resolve(code ?? 1)
    })
  })
}

/** Runs a stage and returns whether it passed; `report` is the JUnit file that its tests write. */
async function stage(title, work, report) {
  process.stdout.write(`\n── ${title}\n`)
  const started = Date.now()
  const code = await work()
  const counted = report !== undefined && count(report)
  // A stage that failed without a failed test, for example because it did not start, counts as one
  // failed test.
  if (code !== 0 && !(counted && counted.failed > 0)) totals.failed++
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  process.stdout.write(`── ${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`)
  return code === 0
}

function count(report) {
  if (!fs.existsSync(report)) return undefined
  const xml = fs.readFileSync(report, 'utf8')
  const counts = countsOf(xml)
  for (const outcome of Object.keys(totals)) totals[outcome] += counts[outcome]
  failures.push(...failuresOf(xml))
  return counts
}

const exists = name => fs.existsSync(path.join(root, name))
const report = name => path.join(results, `${name}.xml`)

/**
 * Three processes per processor, because most of a test's time is spent waiting: for a commit, a
 * lease, a lock or another process. There are fewer processes if memory is short, because a process
 * may grow to 1.5 GB.
 */
function testProcesses() {
  const fitting = Math.floor(os.totalmem() / 1.5e9)
  return Math.max(2, Math.min(3 * os.availableParallelism(), fitting))
}

/** Runs the unit and database tests in these files. */
async function testsIn(files) {
  const output = `--reporter-outfile=${report('bun')}`
  // A process runs one file after another and keeps loaded modules, which saves a quarter of the
  // work; so each file undoes what it changes outside itself, and closes what it opens.
  const parallel = [`--parallel=${testProcesses()}`, '--no-isolate']
  const order = `--timings=${writeDurations(root, path.join(results, 'durations.json'))}`
  const reporting = ['--timeout=60000', '--reporter=junit', output]
  const args = ['test', ...parallel, order, ...reporting, ...files.map(name => `./${name}`)]
  return run(args, inTemporary)
}

/** The schema, its roles, and the statements that sweeps run, on the oldest supported
 *  PostgreSQL. */
const onOldest = ['database/online', 'clinical/sweeps/every-operation', 'clinical/sweeps/model']
const ofSchema = () =>
  fs.readdirSync(path.join(root, 'database')).filter(name => name.endsWith('.test.ts'))

async function oldestPostgres() {
  const title = `PostgreSQL ${oldest}`
  if (!isInstalled(oldest) && process.env.CI !== 'true') {
    process.stdout.write(`\n── ${title}: not installed\n`)
    return
  }
  await stage(title, () => testsOnOldest(report('oldest')), report('oldest'))
}

async function testsOnOldest(file) {
  const server = await openPostgres(oldest, temporary?.folder).catch(error => {
    process.stdout.write(`${error.message}\n`)
  })
  if (server === undefined) return 1
  try {
    const output = ['--reporter=junit', `--reporter-outfile=${file}`]
    const files = [...ofSchema().map(name => `database/${name}`), ...onOldest]
    const args = ['test', '--parallel=2', '--no-isolate', '--timeout=60000', ...output, ...files]
    return await run(args, { ...inTemporary, TEST_DATABASE_URL: server.url })
  } finally {
    server.close()
  }
}

/** Runs the browser tests of one Playwright project, and of those that it depends on. */
async function browserTests(checkout, project) {
  const address = await checkout.address()
  if (address === undefined) return 1
  const args = [...browserTestsOf(project), '--reporter=list,junit']
  const environment = {
    PLAYWRIGHT_JUNIT_OUTPUT_FILE: report('browser'),
    CHECKOUT_URL: address,
    ...inTemporary,
  }
  // Runs in Node, which Playwright is made for. The specs use HTTP only.
  return run(args, environment, process.execPath)
}

/**
 * The checks and the build run in parallel, because neither uses two processors. The site is built
 * before the tests, so the tests don't all wait for the build.
 */
async function checkAndSite() {
  const codes = await Promise.all([run(['deploy/check.ts', '--whole']), site()])
  return Math.max(...codes)
}

const site = () => (exists('site/build/build.ts') ? run(['--bun', 'site/build/build.ts']) : 0)

/** Runs the files' tests with a database; returns whether they passed. */
async function withDatabase(title, files) {
  if ((await run(['database/testing/database.ts', 'start'])) !== 0) totals.failed++
  const passed = await stage(title, () => testsIn(files), report('bun'))
  await run(['database/testing/database.ts', 'stop'])
  return passed
}

async function nightly() {
  const generated = () => run(['clients/generate/generate.ts'])
  if (!(await stage('clients and site', async () => (await generated()) || site()))) return
  const files = nightlyFiles.filter(name => name.endsWith('.test.ts'))
  await withCheckout('nightly', async () => {
    const passed = await withDatabase('nightly tests', files)
    if (passed) await oldestPostgres()
    return passed
  })
}

/** Runs `tests` while the checkout starts, and if they passed, the project's browser tests. */
async function withCheckout(project, tests) {
  const checkout = exists('e2e/checkout.ts') && openCheckout({ bun, root, results, children })
  try {
    if (!(await tests()) || !checkout) return
    await stage('browser tests', () => browserTests(checkout, project), report('browser'))
  } finally {
    if (checkout) await checkout.close()
  }
}

async function everything() {
  if (!(await stage('check and site', checkAndSite))) return
  const files = testFiles(root).filter(name => !nightlyFiles.includes(name))
  // The last browser tests depend on all others but the nightly ones.
  await withCheckout('last', () => withDatabase('unit and database tests', files))
  const minutes = Number(process.env.MUTATE_MINUTES ?? 0)
  if (minutes > 0 && totals.failed === 0) {
    await stage('mutation tests', () => faultsInTheChange(minutes))
  }
}

/** Prints the score and always passes: some faults change nothing that anyone can see. */
async function faultsInTheChange(minutes) {
  const base = process.env.MUTATE_BASE ? [`--base=${process.env.MUTATE_BASE}`] : []
  await run(['mutate/mutate.ts', '--changed', ...base, `--minutes=${minutes}`, '--workers=2'])
  return 0
}

try {
  await (isNightly ? nightly() : everything())
} finally {
  const { folder, remove } = temporary ?? {}
  const left = await endLeftovers(process.pid, { folder, remove })
  if (left.length > 0) {
    totals.failed++
    failures.push(
      ["The run left these processes behind; they're stopped now:", ...left].join('\n  '),
    )
  }
}
for (const failure of failures) process.stdout.write(`\n${failure}\n`)
if (!isNightly) {
  const count = nightlyFiles.length
  process.stdout.write(`\nNot run: ${count} nightly test files (npm test -- nightly)\n`)
}
const { passed, failed, skipped } = totals
process.stdout.write(
  `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
)
if (failed > 0) process.exitCode = 1
