// The scenarios that ship with the program. Each scenario is loaded when it's played.

import type { Scenario, Step } from './scenario.ts'
import { usage } from '../errors.ts'
import { nearest } from '../nearest.ts'

type Module = { readonly default: unknown }

/** `start` names the steps in start.json before the scenario's own: they create a patient, or also
 *  record consents and find a medication. */
type StoredScenario = Scenario & { readonly start: 'patient' | 'consented' }

/** Each import has a literal path, because bundlers require one. */
const files: Readonly<Record<string, () => Promise<Module>>> = {
  delivered: () => import('../../scenarios/delivered.json'),
  declined: () => import('../../scenarios/declined.json'),
  'needs-info-twice': () => import('../../scenarios/needs-info-twice.json'),
  'asked-of-you': () => import('../../scenarios/asked-of-you.json'),
  'blocked-order': () => import('../../scenarios/blocked-order.json'),
  'failed-order': () => import('../../scenarios/failed-order.json'),
  'refused-then-appeal': () => import('../../scenarios/refused-then-appeal.json'),
  'cancelled-or-withdrawn': () => import('../../scenarios/cancelled-or-withdrawn.json'),
  'held-for-a-file': () => import('../../scenarios/held-for-a-file.json'),
  reconsent: () => import('../../scenarios/reconsent.json'),
  'visit-completed': () => import('../../scenarios/visit-completed.json'),
  'no-show': () => import('../../scenarios/no-show.json'),
  autopilot: () => import('../../scenarios/autopilot.json'),
}

export const scenarioNames: readonly string[] = Object.keys(files)

export async function scenarioNamed(name: string): Promise<Scenario> {
  const load = files[name]
  if (load) return withStart((await load()).default as StoredScenario)
  const other = nearest(name, scenarioNames)
  throw usage(
    `unknown scenario: ${name}`,
    other ? `Did you mean ${other}?` : `Choose from ${scenarioNames.join(', ')}.`,
  )
}

async function withStart({ start, steps, ...scenario }: StoredScenario): Promise<Scenario> {
  const { default: starts }: Module = await import('../../scenarios/start.json')
  const { patient, consented } = starts as Record<typeof start, readonly Step[]>
  return { ...scenario, steps: [...patient, ...(start === 'patient' ? [] : consented), ...steps] }
}

const isScenario = (value: unknown): value is Scenario =>
  typeof value === 'object' && value !== null && Array.isArray((value as Scenario).steps)

export function parseScenario(text: string, file: string): Scenario {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw usage(`${file} must be JSON`)
  }
  if (isScenario(value)) return value
  throw usage(
    `${file} must have steps`,
    'To start from an example, run `svc sandbox loop --print`.',
  )
}
