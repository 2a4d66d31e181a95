// An operation of the API as the contract describes it.

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
  /** What it removes or ends stays so: in live mode it asks first. */
  readonly isIrreversible: boolean
  readonly isPreview: boolean
  readonly emits: readonly string[]
  readonly refuses: readonly string[]
  /** Of a list: the member of an item that `starting_after` takes. */
  readonly cursor?: string
  /** The member of what is answered that is the last id of the path. */
  readonly echoes?: string
  /** The columns a table shows. */
  readonly columns: readonly string[]
  /** What is typed behind the words of an example that runs once its ids are real ones. */
  readonly example: readonly string[]
}
