// An operation's names in SDKs, computed from its ID and path. An audit row's action is the
// operation ID itself.

import { type Noun, prefixes } from '../ids.ts'

/** Lists that exist only under another resource, so they become verbs of that resource. */
const views: ReadonlySet<string> = new Set(['slots', 'deliveries'])

const camel = (segment: string) =>
  segment.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (segment: string) => camel(`_${segment}`)

/** A collection's noun: `webhook_endpoints` → `webhook_endpoint`, `deliveries` → `delivery`. */
export const singular = (collection: string) =>
  collection.endsWith('ies') ? `${collection.slice(0, -3)}y` : collection.replace(/s$/, '')

const isNoun = (word: string): word is Noun => Object.hasOwn(prefixes, word)

/** Collections whose IDs belong to another noun: a destination is a kind of endpoint, and
 *  `/exports/tables` contains a kind of export. */
const otherwise: Readonly<Record<string, Noun>> = {
  destination: 'webhook_endpoint',
  table: 'export',
}

/** The noun of an ID in a path, from the collection before the ID: `/cases/{id}`. */
export function nounOf(path: string, name: string): Noun {
  const parts = path.split('/')
  const collection = singular(parts[parts.indexOf(`{${name}}`) - 1] ?? '')
  const noun = otherwise[collection] ?? collection
  if (isNoun(noun)) return noun
  throw new Error(`${path}: contract/ids.ts has no prefix for "${noun}"`)
}

/** Converts a camelCase name to Python's snake_case. */
export const snake = (name: string) =>
  name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Returns the SDK's name: `createCase` is `cases.create`, `listCaseEvents` is `cases.events`, and
 *  sandbox-only operations start with `test.`. The object in the operation ID determines the part
 *  of the path that the operation belongs to. If the ID mentions no part of the path, the last part
 *  is a verb of the first. */
export function sdkName(operationId: string, path: string): string {
  const parts = path.split('/').slice(2)
  const mode = parts[0] === 'test' ? 'test.' : ''
  const words = (mode ? parts.slice(1) : parts).filter(part => !part.startsWith('{'))
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  const verb = operationId.replace(/[A-Z].*$/, '')
  // In getTestClock, the name's prefix already says "test".
  const object = operationId.slice(verb.length).replace(mode ? /^Test/ : /^$/, '')
  const one = pascal(singular(first))

  // createCase, listMessages, getOrganization: the object is the path's last collection, or its
  // only word.
  const collected = singular(last) !== last || words.length === 1
  if (collected && !views.has(last) && [last, singular(last)].map(pascal).includes(object)) {
    return `${mode}${camel(last)}.${verb}`
  }
  // For releaseCase, noShowVisit or cancelReplay: the object is one of the nouns before the path's
  // last word, and the verb is the part of the operation ID in front of it.
  const owner = [first, ...words.slice(1, -1)].find(
    word => operationId.endsWith(pascal(singular(word))) && singular(word) !== word,
  )
  if (owner !== undefined) {
    return `${mode}${camel(owner)}.${operationId.slice(0, -pascal(singular(owner)).length)}`
  }
  // getPatientExport: the path ends with an item of the last collection, inside an item of the
  // first.
  if (path.endsWith('}')) return `${mode}${camel(last)}.${verb}For${one}`
  // createRealtimeToken: the first part isn't a collection, so the rest of the object stays a noun.
  if (one === pascal(first) && object.startsWith(one) && words.length > 1) {
    return `${mode}${camel(first)}.${verb}${object.slice(one.length)}`
  }
  // listCaseEvents, getJoinLink, rotateWebhookSecret: the path's last word is the verb.
  return words.length > 1 ? `${mode}${camel(first)}.${camel(last)}` : `${mode}${camel(first)}`
}
