// The API's operations, loaded when an operation is run or explained.

import type { Operation } from '../../../generate/cli/row.ts'

let all: Promise<readonly Operation[]> | undefined

export const operations = (): Promise<readonly Operation[]> =>
  (all ??= import('./rows.ts').then(({ rows }) => rows))

export async function operation(id: string): Promise<Operation> {
  const found = (await operations()).find(one => one.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

export const kebab = (name: string) => name.replaceAll('_', '-')

/** The path template, the IDs that fill it, and the response field that must match them. */
export const target = ({ path, echoes }: Operation, ids: readonly string[]) => ({
  path,
  ids,
  ...(echoes === undefined ? {} : { echoes }),
})
