import type { Call, IdempotencyStore } from './store.ts'

export type Stores = {
  readonly idempotencyStore: IdempotencyStore
  /** For requests that store nothing, because their address is at a reserved domain. */
  readonly dryRunStore: IdempotencyStore
}

/** Selects a request's store. A key first used in the other store is used there again. */
export function storeOf(stores: Stores, isDryRun: boolean): IdempotencyStore {
  const { idempotencyStore, dryRunStore } = stores
  const [own, other] = isDryRun ? [dryRunStore, idempotencyStore] : [idempotencyStore, dryRunStore]
  const once = async (call: Call, work: Parameters<IdempotencyStore['once']>[1]) =>
    (await other.find(call)) ?? own.once(call, work)
  return { ...own, once }
}
