// Each tool's four hints, computed from its operation's method and verb. Each hint has a written
// reason, because connector directories require one.

import type { Hints } from '../mcp/tool.ts'
import type { Operation } from '../operation.ts'

type Method = Operation['method']

/** Multi-word verbs in operation IDs. */
const longerVerbs = ['noShow']

/** Turns `cancelCase` into "cancel". */
export const verbOf = (operationId: string): string =>
  longerVerbs.find(verb => operationId.startsWith(verb)) ?? operationId.replace(/[A-Z].*$/, '')

/** Verbs that remove or replace the caller's data, each with its effect in words. */
const removesOrReplaces: Readonly<Record<string, string>> = {
  delete: 'what it deletes cannot be read again',
  cancel: 'what it cancels cannot be reopened',
  withdraw: 'what it withdraws cannot be reopened',
  reset: 'it deletes the sandbox data',
  update: 'it replaces existing values',
  reschedule: 'it gives up the earlier slot',
  fail: 'what it fails cannot be resumed',
  noShow: 'it ends the visit permanently',
}

/** Verbs that make our server send requests to the caller's endpoint. */
const reachesACallersServer: ReadonlySet<string> = new Set(['redeliver', 'trigger'])

/** Verbs that need the user's confirmation, if the client can ask for it. */
const asksFirst: ReadonlySet<string> = new Set(['delete', 'cancel', 'withdraw', 'reset'])

export const asksBefore = (verb: string): boolean => asksFirst.has(verb)

export const hintsOf = (method: Method, verb: string): Hints => ({
  readOnlyHint: method === 'GET',
  destructiveHint:
    method !== 'GET' && (method === 'DELETE' || Object.hasOwn(removesOrReplaces, verb)),
  // Writes require an idempotency_key, so the same arguments return the stored response.
  idempotentHint: true,
  openWorldHint: reachesACallersServer.has(verb),
})

export type Justifications = Readonly<Record<keyof Hints, string>>

/** One sentence per hint. */
export function justificationsOf(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  verb: string,
): Justifications {
  const call = `${method} ${path}`
  const { readOnlyHint, destructiveHint, openWorldHint } = hintsOf(method, verb)
  const loss = removesOrReplaces[verb] ?? 'it removes existing data'
  return {
    readOnlyHint: readOnlyHint
      ? `True: it calls ${call}, which changes no records.`
      : `False: it calls ${call}, which writes.`,
    destructiveHint: readOnlyHint
      ? 'False: it changes nothing.'
      : destructiveHint
        ? `True: ${loss}.`
        : 'False: it only adds a record or moves one forward. Nothing is removed or replaced.',
    idempotentHint: readOnlyHint
      ? 'True: repeating a read changes nothing.'
      : 'True: idempotency_key is required, and the same arguments return the stored response.',
    openWorldHint: openWorldHint
      ? 'True: it makes the server post to a webhook endpoint the integration registered.'
      : "False: it reaches only the integration's records at organizations that granted access.",
  }
}
