// The checks that every module's listener runs before the module gets a request.
import { Problem } from '#contract/problems.ts'
import type { AskedFrom, OwnOrigin } from '#http/origins/own-origin.ts'
import type { Hosts } from './hosts.ts'
import type { ModuleName } from '../settings/origins.ts'

export type Guard = (asked: AskedFrom) => Problem | undefined

/** Checks the host first, because at another origin's host the cookie would be that origin's. */
export const guardOf =
  (name: ModuleName, hosts: Hosts, own: OwnOrigin): Guard =>
  asked =>
    hosts.refusalAt(name, header => asked.header(header)) ??
    (own.admits(asked) ? undefined : new Problem('foreign_origin'))

export const askedFrom = ({ method, headers }: Request): AskedFrom => ({
  method,
  header: name => headers.get(name),
})

export const nothingServed = (
  base: string,
  hint = `The site and the API are at ${base}.`,
): Problem => new Problem('not_found', { detail: 'Nothing is served at this path.', hint })
