// `npm run mutate`: puts small faults into the code, one at a time, and lists the faults that no
// test catches. Given folders or files, it changes only those; `--changed` changes only lines that
// differ from `--base=COMMIT`, by default origin/main. `--count=15` or `--minutes=20` is how many,
// picked by `--seed=1`. `--tests=12` files at most run for each fault, `--workers=2` at once.
// `--list` only lists the faults. README.md in this folder explains the method. Decided in
// docs/decisions/0083-mutate-with-a-tool-of-our-own.md.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { defaultBase } from './files.ts'
import { reportOf, sentenceOf } from './report.ts'
import { type Options, planOf } from './plan.ts'
import { run } from './run.ts'

const root = path.dirname(import.meta.dir)
const database = path.join(root, 'database', 'testing', 'database.ts')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string' },
    minutes: { type: 'string' },
    tests: { type: 'string', default: '12' },
    workers: {
      type: 'string',
      default: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    },
    changed: { type: 'boolean', default: false },
    base: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

function positive(name: 'count' | 'minutes' | 'tests' | 'workers'): number {
  const written = values[name]
  const number = written === undefined ? Infinity : Number(written)
  if (number > 0) return number
  console.error(`--${name} must be a number above 0, such as --${name}=5.`)
  process.exit(2)
}

const options: Options = {
  root,
  chosen: positionals,
  seed: values.seed,
  count: positive('count'),
  // A timer can last 24 days at most.
  minutes: Math.min(positive('minutes'), 24 * 60),
  tests: positive('tests'),
  workers: positive('workers'),
  graceSeconds: 20,
  base: values.base ?? (values.changed ? await defaultBase(root) : undefined),
}
if (values.changed && options.base === undefined) {
  console.log('This clone has no commit to compare with.')
  process.exit(0)
}

const plan = await planOf(options)
if (plan.length === 0) {
  console.log('There is nothing to change in what was chosen.')
  process.exit(0)
}
if (values.list) {
  for (const { fault } of plan) console.log(sentenceOf(fault))
  process.exit(0)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())

const asDatabase = (command: string) => {
  if (!existsSync(database)) return
  Bun.spawnSync([process.execPath, database, command], { cwd: root, stderr: 'inherit' })
}
const wasUp = existsSync(path.join(root, '.data', 'test', 'postgres', 'postmaster.pid'))
asDatabase('start')
console.log(`${plan.length} faults, seed ${values.seed}, ${options.workers} at once`)

let done = 0
const report = await run(
  options,
  plan,
  (outcome, fault, isKnown) => {
    done++
    if (isKnown) return
    const found = outcome.noticed ? `noticed by ${outcome.by}` : 'SURVIVED'
    console.log(`${done}/${plan.length} ${sentenceOf(fault)}: ${found}`)
    // A test file that stops at its first failure leaves its database behind.
    if (done % 20 === 0) asDatabase('clean')
  },
  stop.signal,
)
asDatabase(wasUp ? 'clean' : 'stop')
console.log(reportOf(report, plan))
