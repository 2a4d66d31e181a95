// The names of an operation in SDKs, computed from its id and path. The action of an audit row is
// the operation id itself.

import { type Noun, prefixes } from '../ids.ts'

/** Lists that exist only below another resource, and so are a verb of it. */
const views: ReadonlySet<string> = new Set(['slots', 'deliveries'])

const camel = (segment: string) =>
  segment.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (segment: string) => camel(`_${segment}`)

/**
 * The noun of a collection: `webhook_endpoints` → `webhook_endpoint`, `deliveries` → `delivery`.
 */
export const singular = (collection: string) =>
  collection.endsWith('ies') ? `${collection.slice(0, -3)}y` : collection.replace(/s$/, '')

const isNoun = (word: string): word is Noun => Object.hasOwn(prefixes, word)

/** The resource that an ID in a path names, taken from the collection before it, `/cases/{id}`. */
export function nounOf(path: string, name: string): Noun {
  const parts = path.split('/')
  const collection = singular(parts[parts.indexOf(`{${name}}`) - 1] ?? '')
  // An event destination is an endpoint of another kind.
  const noun = collection === 'destination' ? 'webhook_endpoint' : collection
  if (isNoun(noun)) return noun
  throw new Error(`${path}: contract/ids.ts has no prefix for "${noun}"`)
}

/** A camelCase name in snake_case, as Python spells it. */
export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The SDK's name: `createCase` is `cases.create`, `listCaseEvents` is `cases.events`, and what
 *  only the sandbox has starts with `test.`. The object of the id decides which part of the path it
 *  belongs to; a path whose parts the id doesn't mention is a verb of its first part. */
export function sdkName(operationId: string, path: string): string {
  const parts = path.split('/').slice(2)
  const mode = parts[0] === 'test' ? 'test.' : ''
  const words = (mode ? parts.slice(1) : parts).filter(part => !part.startsWith('{'))
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const verb = operationId.replace(/[A-Z].*$/, '')
  // getTestClock: what the name starts with says it already.
  const object = operationId.slice(verb.length).replace(mode ? /^Test/ : /^$/, '')
  const one = pascal(singular(first))

  // createCase, listMessages, getOrganization: the object is the last collection of the path, or
  // the only word of it.
  const collected = singular(last) !== last || words.length === 1
  if (collected && !views.has(last) && [last, singular(last)].map(pascal).includes(object)) {
    return `${mode}${camel(last)}.${verb}`
  }
  // releaseCase, noShowVisit, cancelReplay: the object is a noun that the path has before its last
  // word, and what stands before it in the id is the verb.
  const owner = [first, ...words.slice(1, -1)].find(
    word => operationId.endsWith(pascal(singular(word))) && singular(word) !== word,
  )
  if (owner !== undefined) {
    return `${mode}${camel(owner)}.${operationId.slice(0, -pascal(singular(owner)).length)}`
  }
  // getPatientExport: one item of the last collection, reached through one of the first.
  if (path.endsWith('}')) return `${mode}${camel(last)}.${verb}For${one}`
  // createRealtimeToken: the first part isn't a collection, so the rest of the object stays a noun.
  if (one === pascal(first) && object.startsWith(one) && words.length > 1) {
    return `${mode}${camel(first)}.${verb}${object.slice(one.length)}`
  }
  // listCaseEvents, getJoinLink, rotateWebhookSecret: the last word of the path is the verb.
  return words.length > 1 ? `${mode}${camel(first)}.${camel(last)}` : `${mode}${camel(first)}`
}
