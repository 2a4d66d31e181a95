import type { Store } from './store.ts'

export type Input = {
  readonly store: Store
  readonly operation: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** By operation; a list answers all that there is, and the server makes pages of it. */
export type Handlers = Readonly<Record<string, (input: Input) => unknown>>
