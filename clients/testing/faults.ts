// The fault matrix of both libraries: compares a client's outcome with its row's expectations.

import faults from './faults.json' with { type: 'json' }

export const { rows } = faults

/** One row's outcome, as seen by the client, the API and the proxies. */
export type Outcome = Readonly<Record<string, unknown>> & {
  readonly took: number
  readonly message?: string
}

type Expected = Readonly<Record<string, unknown>> & {
  readonly took?: number
  readonly under?: number
  readonly says?: string
  readonly silent?: string
}

/** The fields whose values differ from the row's expectations. */
export function differences(expected: Expected, got: Outcome): string[] {
  const { took = 0, under = Infinity, says = '', silent, ...same } = expected
  const message = got.message ?? ''
  return [
    ...Object.entries(same)
      .filter(([name, value]) => !Bun.deepEquals(got[name], value))
      .map(
        ([name, value]) => `${name} is ${JSON.stringify(got[name])}, not ${JSON.stringify(value)}`,
      ),
    ...(got.took >= took && got.took <= under ? [] : [`it took ${got.took} s`]),
    ...(message.includes(says) ? [] : [`"${message}" does not say "${says}"`]),
    ...(silent !== undefined && message.includes(silent) ? [`"${message}" says too much`] : []),
    ...('error' in expected || got['error'] === undefined ? [] : [`${got['error']}: ${message}`]),
  ]
}
