// An operation of the API as the contract describes it (clients/generate writes the file).

export type Field = {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly isNullable?: boolean
  readonly description?: string
  readonly values?: readonly string[]
  readonly default?: unknown
  readonly form?: string
  readonly fields?: readonly Field[]
  readonly items?: Field
}

export type TreeRow = {
  readonly id: string
  readonly words: readonly string[]
  readonly summary: string
  readonly ids: readonly { readonly name: string; readonly prefix: string }[]
}

export type Operation = TreeRow & {
  readonly description?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: readonly Field[]
  readonly body?: readonly Field[]
  readonly scope: string
  readonly isSandboxOnly: boolean
  readonly isPreview: boolean
  readonly emits: readonly string[]
  readonly refuses: readonly string[]
  readonly cursor?: string
  readonly columns: readonly string[]
  readonly example: readonly string[]
}

let all: Promise<readonly Operation[]> | undefined

/** Loaded when a command of it is used or explained: the program starts without it. */
export const operations = (): Promise<readonly Operation[]> =>
  (all ??= import('../generated/operations.json', { with: { type: 'json' } }).then(
    ({ default: rows }) => rows as unknown as readonly Operation[],
  ))

export async function operation(id: string): Promise<Operation> {
  const found = (await operations()).find(one => one.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

export const kebab = (name: string) => name.replaceAll('_', '-')

/** The path with the ids that stand in it, by their names. */
export const target = ({ path, ids }: Operation, values: readonly string[]) => ({
  path,
  ids: Object.fromEntries(ids.map(({ name }, at) => [name, values[at] ?? ''])),
})
