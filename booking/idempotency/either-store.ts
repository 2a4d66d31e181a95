import type { Call, IdempotencyStore } from './store.ts'

export type Stores = {
  readonly idempotencyStore: IdempotencyStore
  /** For calls with an address at a reserved domain, which store nothing. */
  readonly dryRunStore: IdempotencyStore
}

/** The store of a call. A key that was used in the other store is used here too. */
export function storeOf(stores: Stores, isDryRun: boolean): IdempotencyStore {
  const { idempotencyStore, dryRunStore } = stores
  const [own, other] = isDryRun ? [dryRunStore, idempotencyStore] : [idempotencyStore, dryRunStore]
  const once = async (call: Call, work: Parameters<IdempotencyStore['once']>[1]) =>
    (await other.find(call)) ?? own.once(call, work)
  return { ...own, once }
}
