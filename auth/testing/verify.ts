import type { GuardedConnection } from '../guard.ts'

/** Runs only the guard of a call's connection. */
export const verify = (guarded: GuardedConnection) => guarded.query(guarded.guard)
