// An operation of the API as the contract describes it (clients/generate writes the file).

/** One member of a body, or one parameter of a query. */
export type Field = {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any'
  readonly isRequired: boolean
  readonly isNullable?: true
  readonly description?: string
  /** The values it may have. */
  readonly values?: readonly string[]
  readonly default?: unknown
  /** What a text must look like: `date`, `date-time`, or an id with its prefix, `pat_`. */
  readonly form?: string
  /** The members of an object. */
  readonly fields?: readonly Field[]
  /** The items of an array. */
  readonly items?: Field
}

export type TreeRow = {
  readonly id: string
  /** `cases create` in two words, `test cases decide` in three. */
  readonly words: readonly string[]
  readonly summary: string
  /** The ids in the path, in order, with the prefix that each begins with. */
  readonly ids: readonly { readonly name: string; readonly prefix: string }[]
}

export type Operation = TreeRow & {
  readonly description?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: readonly Field[]
  /** Absent: it takes no body. */
  readonly body?: readonly Field[]
  readonly scope: string
  readonly isSandboxOnly: boolean
  readonly isPreview: boolean
  readonly emits: readonly string[]
  readonly refuses: readonly string[]
  /** Of a list: the member of an item that `starting_after` takes. */
  readonly cursor?: string
  /** What a table of it shows. */
  readonly columns: readonly string[]
  /** What is typed behind the words of an example that runs once its ids are real ones. */
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
