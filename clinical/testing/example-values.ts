// Maps a documented example's made-up values to the values of a valid call on a test platform, so a
// documented program runs as printed.
import { type OperationId, table } from '#contract/api.ts'
import { nounOf } from '#contract/derive/names.ts'
import { requestExamples } from '#contract/examples.ts'
import { ids } from '#contract/examples/resources.ts'
import { type CallOptions, pathValuesOf, queuedCase } from './call.ts'
import type { Fixtures } from './fixtures.ts'
import { validCalls } from './valid-calls.ts'
import { freeStarts } from './visits.ts'

type Values = Readonly<Record<string, unknown>>

/** Field names of values that belong to one time or one tenant. */
const ofTenant = /^(patient|case|consent_ids|starts_at|webhook_endpoint)$/

const examples = new Map<string, string>(Object.entries(ids))

/** Returns pairs of an example's value and the call's real one. */
export function exampleValues(id: OperationId, call: CallOptions): [string, string][] {
  const { path } = table[id]
  const inPath = Object.entries(pathValuesOf(path, call)).map(([name, value]): [string, string] => [
    examples.get(nounOf(path, name)) ?? name,
    value,
  ])
  const [example = {}] = Object.values(requestExamples(id)) as Values[]
  const body = (call.body ?? {}) as Values
  const inBody = Object.keys(example)
    .filter(name => ofTenant.test(name))
    .flatMap(name => {
      const [from, to] = [[example[name]].flat(), [body[name]].flat()]
      return from.map((value, at): [string, string] => [String(value), String(to[at])])
    })
  return [...inPath, ...inBody]
}

/** Returns a valid call in the state the documented example expects. */
export async function documentedCall(
  id: OperationId,
  fixtures: Fixtures,
  as: string,
): Promise<CallOptions> {
  if (id !== 'bookVisit') return validCalls[id](fixtures, as)
  const { id: own, patient } = await queuedCase(fixtures, as)
  const [starts_at] = await freeStarts(fixtures, 'CA', as)
  return { body: { patient, case: own, starts_at } }
}
