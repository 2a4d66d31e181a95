// An API operation as described by the contract.

/** A body field or a query parameter. */
export type Field = {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any'
  readonly isRequired: boolean
  readonly isNullable?: true
  readonly description?: string
  /** The allowed values. */
  readonly values?: readonly string[]
  readonly default?: unknown
  /** A string's format: `date`, `date-time`, or an ID's prefix, `pat_`. */
  readonly form?: string
  /** An object's fields. */
  readonly fields?: readonly Field[]
  /** The items of an array. */
  readonly items?: Field
}

export type TreeRow = {
  readonly id: string
  /** `cases create` in two words, `test cases decide` in three. */
  readonly words: readonly string[]
  readonly summary: string
  /** The IDs in the path, in order, each with its prefix. */
  readonly ids: readonly { readonly name: string; readonly prefix: string }[]
}

export type Operation = TreeRow & {
  readonly description?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: readonly Field[]
  /** Absent if the operation has no body. */
  readonly body?: readonly Field[]
  readonly scope: string
  readonly isSandboxOnly: boolean
  /** Whether the operation's effect is permanent, so the command asks first in live mode. */
  readonly isIrreversible: boolean
  readonly isPreview: boolean
  readonly emits: readonly string[]
  readonly refuses: readonly string[]
  /** Lists only. The item field to pass as `starting_after`. */
  readonly cursor?: string
  /** The response field that equals the path's last ID. */
  readonly echoes?: string
  /** The columns a table shows. */
  readonly columns: readonly string[]
  /** The arguments of an example that runs once its IDs are real. */
  readonly example: readonly string[]
}
