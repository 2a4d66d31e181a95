// `svc sandbox loop`: plays a whole scenario with synthetic people.

import { readFile } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { now } from '../environment.ts'
import { CommandError, usage } from '../errors.ts'
import { play, type Scenario } from './scenario.ts'
import { parseScenario, scenarioNamed, scenarioNames } from './scenarios.ts'

export type LoopFlags = {
  readonly scenario?: string
  readonly file?: string
  readonly list?: boolean
  readonly print?: boolean
  readonly all?: boolean
}

/** Throws in live mode, because synthetic people belong only in a sandbox. */
export async function requireTest(context: Context): Promise<void> {
  if ((await context.mode()) !== 'live') return
  throw new CommandError(
    'notPermitted',
    'the sandbox needs a test key, and this credential is live',
    'Use a test key, or `svc login`.',
  )
}

async function chosen({ scenario, file, all }: LoopFlags): Promise<Scenario[]> {
  if (all) return Promise.all(scenarioNames.map(scenarioNamed))
  if (file === undefined) return [await scenarioNamed(scenario ?? 'delivered')]
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${file} couldn't be read (${error.code})`)
  })
  return [parseScenario(text, file)]
}

async function playOne(context: Context, scenario: Scenario): Promise<void> {
  const { api, out } = context
  const began = now()
  out.say(scenario.about)
  const total = scenario.steps.length
  let done = 0
  for await (const result of play(api, scenario)) {
    done++
    const { say, outcome, id } = result
    const line = `${String(done).padStart(String(total).length)}/${total}  ${say}: ${outcome}${id ? `  ${id}` : ''}`
    await out.item({ scenario: scenario.name, step: done, ...result }, line)
  }
  out.say(`${scenario.name}: ${done} steps in ${((now() - began) / 1000).toFixed(1)} s.`)
}

export async function loop(context: Context, flags: LoopFlags): Promise<void> {
  const { out } = context
  if (flags.list) {
    const all = await Promise.all(scenarioNames.map(scenarioNamed))
    return out.list(
      all.map(({ name, about, steps }) => ({ name, about, steps: steps.length })),
      ['name', 'about'],
    )
  }
  const scenarios = await chosen(flags)
  if (flags.print) return out.text(`${JSON.stringify(scenarios[0], null, 2)}\n`)
  await requireTest(context)
  for (const scenario of scenarios) await playOne(context, scenario)
}
