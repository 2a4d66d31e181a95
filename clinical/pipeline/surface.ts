// A surface is one API or protocol that the pipeline serves, with its operation table, handlers and
// gate. The pipeline isn't tied to any table. REST is the first surface (clinical/rest/surface.ts);
// another surface is a value of this type and an adapter that calls `perform` with it. Decided in
// docs/decisions/0088-serve-every-surface-by-one-pipeline.md.

import { locationOf } from '#contract/derive/location.ts'
import type { AnyOperation, Operations } from '#contract/operation.ts'
import type { CachedCredential, FoundCaller } from '#auth/principal.ts'
import type { SurfaceName } from '#auth/audit.ts'
import type { Authentication } from './authentication.ts'
import type { AnyPrincipal, AnyRead, AnyWrite, Handlers } from './handler.ts'

/** Builds the WWW-Authenticate header of a refused operation call: with the error's parameters or,
 *  if there are none, with the parameters for a client without a credential. */
export type Challenge<O extends AnyOperation = AnyOperation> = (
  parameters: string,
  operation: O,
) => string

export type SurfaceOperation = {
  readonly operation: AnyOperation
  readonly handler: AnyRead | AnyWrite
  /** The path under which a created resource is read; null if it's only read in a list. */
  readonly place: string | null
}

type Gate<O, P, F> = (operation: O, found: F, organization: string | null) => P

type Definition<T extends Operations, P extends AnyPrincipal, F extends FoundCaller> = {
  /** The surface's name in the audit. */
  readonly name: SurfaceName
  readonly authentication: Authentication<F>
  readonly challenge: Challenge<T[keyof T]>
  readonly operations: T
  readonly handlers: Handlers<NoInfer<T>, NoInfer<P>>
  /** Returns who an authenticated caller may act for, or throws the refusal. `organization` is the
   *  requested one. */
  readonly gate: Gate<T[keyof T], P, NoInfer<F>>
}

/** A surface as the pipeline calls it. `Id` is the type of its operation IDs. */
export type Surface<Id extends string> = {
  readonly name: SurfaceName
  readonly authentication: Authentication<FoundCaller>
  readonly challenge: Challenge
  readonly gate: Gate<AnyOperation, AnyPrincipal, FoundCaller>
  /** Throws for an ID from another surface, which is an adapter's bug. */
  readonly operationOf: (id: Id) => SurfaceOperation
}

/** Erases the types of rows and handlers. This is sound because `Definition` ties them together:
 *  each row comes with its own handler, and both take the principal that the gate returns for the
 *  authenticated caller. */
export function defineSurface<
  T extends Operations,
  P extends AnyPrincipal,
  F extends FoundCaller = CachedCredential,
>({ name, authentication, challenge, ...table }: Definition<T, P, F>): Surface<keyof T & string> {
  const rows = Object.values(table.operations)
  const handlers = table.handlers as unknown as Record<string, AnyRead | AnyWrite>
  const operations = new Map<string, SurfaceOperation>()
  for (const [id, operation] of Object.entries(table.operations)) {
    const handler = handlers[id]
    if (!handler) throw new Error(`${id} has no handler`)
    operations.set(id, { operation, handler, place: locationOf(operation, rows) })
  }
  return {
    name,
    authentication: authentication as unknown as Authentication<FoundCaller>,
    challenge: challenge as Challenge,
    gate: table.gate as unknown as Gate<AnyOperation, AnyPrincipal, FoundCaller>,
    operationOf(id) {
      const found = operations.get(id)
      if (!found) throw new Error(`${id} is not an operation of the surface ${name}`)
      return found
    },
  }
}
