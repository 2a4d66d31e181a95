// `npm run scenarios -- integrator-goes-live --url=https://… --KEY=… --LIVE_KEY=…`: runs scenarios
// against any server, and prints each step with its faults. `--url` is BASE and SITE.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ScenarioResult, runThrough } from './scenarios/run.ts'
import type { Scenario } from './scenarios/script.ts'

const folder = path.join(import.meta.dirname, 'scenarios')

export const scenarioNames = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort()

export const readScenario = (name: string): Scenario =>
  JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as Scenario

const line = ({ name, faults, milliseconds }: ScenarioResult) =>
  [
    `${faults.length === 0 ? 'ok  ' : 'MISS'} ${name} (${Math.round(milliseconds)} ms)`,
    ...faults.map(one => `       ${one}`),
  ].join('\n')

async function main(args: readonly string[]): Promise<number> {
  const names = args.filter(arg => !arg.startsWith('--'))
  const named = Object.fromEntries(
    args.flatMap(arg => {
      const [, name, value] = /^--(\w+)=(.*)$/s.exec(arg) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
  const { url } = named
  const given = url === undefined ? named : { BASE: url, SITE: url, ...named }
  if (names.length === 0) {
    for (const name of scenarioNames()) {
      const { title, needs } = readScenario(name)
      console.log(`${name}  ${title}  (${needs.map(one => `--${one}=…`).join(' ')})`)
    }
    return 0
  }
  let missed = 0
  for (const name of names) {
    const scenario = readScenario(name)
    console.log(`\n${scenario.id}  ${scenario.title}\n${scenario.about}\n`)
    await runThrough(scenario, given, result => {
      missed += result.faults.length > 0 ? 1 : 0
      console.log(line(result))
    })
  }
  console.log(missed === 0 ? '\nEvery step is as it should be.' : `\n${missed} steps are not.`)
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
