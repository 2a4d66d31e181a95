// The four hints of a tool, computed from the method and the verb of its operation, and a written
// reason for each, which directories of connectors ask for.

import type { Hints } from '../mcp/tool.ts'
import type { Operation } from '../operation.ts'

type Method = Operation['method']

/** The part of an operation's id that says what it does, where it is more than the first word. */
const longerVerbs = ['noShow']

/** `cancelCase`: cancel. */
export const verbOf = (operationId: string): string =>
  longerVerbs.find(verb => operationId.startsWith(verb)) ?? operationId.replace(/[A-Z].*$/, '')

/** Verbs that remove or replace something that the caller had, with what that is. */
const removesOrReplaces: Readonly<Record<string, string>> = {
  delete: 'what it deletes cannot be read again',
  cancel: 'what it cancels cannot be reopened',
  withdraw: 'what it withdraws cannot be reopened',
  reset: 'it deletes the data of the sandbox',
  update: 'it replaces values that were there',
  reschedule: 'it gives the earlier slot back',
  fail: 'what it fails cannot be resumed',
  noShow: 'it ends the visit for good',
}

/** Verbs that make our server send to an address of the caller's. */
const reachesACallersServer: ReadonlySet<string> = new Set(['redeliver', 'trigger'])

/** Verbs that a client which can ask its user asks about, once. */
const asksFirst: ReadonlySet<string> = new Set(['delete', 'cancel', 'withdraw', 'reset'])

export const asksBefore = (verb: string): boolean => asksFirst.has(verb)

export const hintsOf = (method: Method, verb: string): Hints => ({
  readOnlyHint: method === 'GET',
  destructiveHint:
    method !== 'GET' && (method === 'DELETE' || Object.hasOwn(removesOrReplaces, verb)),
  // A write requires an idempotency_key, so the same arguments bring the stored answer back.
  idempotentHint: true,
  openWorldHint: reachesACallersServer.has(verb),
})

export type Justifications = Readonly<Record<keyof Hints, string>>

/** One sentence for each hint. */
export function justificationsOf(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  verb: string,
): Justifications {
  const call = `${method} ${path}`
  const { readOnlyHint, destructiveHint, openWorldHint } = hintsOf(method, verb)
  const loss = removesOrReplaces[verb] ?? 'it removes what was there'
  return {
    readOnlyHint: readOnlyHint
      ? `True: it is ${call}, which changes no record.`
      : `False: it is ${call}, which writes.`,
    destructiveHint: readOnlyHint
      ? 'False: it changes nothing.'
      : destructiveHint
        ? `True: ${loss}.`
        : 'False: it only adds a record or moves one forward; nothing is removed or replaced.',
    idempotentHint: readOnlyHint
      ? 'True: a repeated read changes nothing.'
      : 'True: idempotency_key is required, and the same arguments bring back the stored answer.',
    openWorldHint: openWorldHint
      ? 'True: it makes the server post to a webhook endpoint that the integration registered.'
      : 'False: it reaches only the records of the integration at the organizations that granted access.',
  }
}
