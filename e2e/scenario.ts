// `npm test -- scenarios go-live integrator-goes-live --url=https://…`: runs scenarios and walks
// against any server, and prints each step with its failures. With no names, it lists them all.
// `--url` sets BASE and SITE; walks/given.ts reads the other values.
import { readScenario, scenarioNames } from './scenarios/read.ts'
import { type ScenarioResult, runThrough } from './scenarios/run.ts'
import { type Flags, flagsOf, givenOf } from './walks/given.ts'
import { findWalk, runWalk, walks } from './walks/run.ts'
import { personFields, World } from './walks/world.ts'

const line = ({ name, faults, milliseconds }: ScenarioResult) =>
  [
    `${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${Math.round(milliseconds)} ms)`,
    ...faults.map(one => `       ${one}`),
  ].join('\n')

function list(): void {
  for (const name of scenarioNames()) {
    const { title, needs } = readScenario(name)
    console.log(`${name}  ${title}  (${needs.map(one => `--${one}=…`).join(' ')})`)
  }
  const people = personFields.join(', ')
  for (const { id, title, needs } of walks) {
    console.log(
      `${id}  ${title}  (${needs.map(one => `--${one}=…`).join(' ')}; for each person: ${people})`,
    )
  }
}

async function main(args: readonly string[]): Promise<number> {
  const names = args.filter(arg => !arg.startsWith('--'))
  if (names.length === 0) {
    list()
    return 0
  }
  const flags = flagsOf(args)
  const { url } = flags
  const given = givenOf(flags)
  const world = new World(given)
  const tell = (result: ScenarioResult) => {
    missed += result.faults.length > 0 ? 1 : 0
    console.log(line(result))
  }
  let missed = 0
  for (const name of names) {
    const walk = findWalk(name)
    const { id, title, about } = walk ?? readScenario(name)
    console.log(`\n${id}  ${title}\n${about}\n`)
    if (walk === undefined) {
      const base = url === undefined ? {} : { BASE: url, SITE: url }
      const keys = {
        KEY: given('KEY') ?? given('key'),
        LIVE_KEY: given('LIVE_KEY') ?? given('live_key'),
      }
      const known = Object.entries(keys).filter(([, value]) => value !== undefined)
      await runThrough(
        readScenario(name),
        { ...base, ...(Object.fromEntries(known) as Flags), ...flags },
        tell,
      )
    } else {
      await runWalk(walk, world, tell)
    }
  }
  console.log(missed === 0 ? '\nEvery step passed.' : `\n${missed} steps failed.`)
  return missed === 0 ? 0 : 1
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).then(
    code => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      process.exit(2)
    },
  )
}
