import type { Store } from './store.ts'

export type Input = {
  readonly store: Store
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Handlers by operation. A list handler returns every item; the server splits them into pages. */
export type Handlers = Readonly<Record<string, (input: Input) => unknown>>
