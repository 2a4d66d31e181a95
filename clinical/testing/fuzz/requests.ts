// Broken requests for an operation, each made from one that is valid. A validator that is not the
// house's own says which of them must be refused whatever the house thinks.

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type OperationId, table } from '#contract/api.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { isWrite, type Operation } from '#contract/operation.ts'
import type { Asked } from '../call.ts'
import { type Shape, shapeOf } from '../../pipeline/validate.ts'
import type { Who } from '../fixtures.ts'
import type { Chance } from './chance.ts'
import { anything, canary, hostileTexts, nearly } from './values.ts'

export type Broken = {
  asked: Asked & { query: string }
  /** Whether it is refused for sure; the others may be valid by luck. */
  sure: boolean
}

const filled = (shape: Shape): Shape => shape.anyOf?.find(one => one.type !== 'null') ?? shape

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with one thing changed somewhere in it. */
function breakValue(chance: Chance, given: Shape, value: unknown): unknown {
  const shape = filled(given)
  if (chance.percent(12)) return anything(chance)
  if (shape.properties && isObject(value)) return breakObject(chance, shape.properties, value)
  if (shape.items && Array.isArray(value)) return breakArray(chance, shape, value)
  return chance.percent(60) ? nearly(chance, shape) : anything(chance)
}

function breakObject(
  chance: Chance,
  properties: Record<string, Shape>,
  value: Record<string, unknown>,
): unknown {
  const names = Object.keys(properties)
  const way = chance.below(10)
  if (way === 0 || names.length === 0) {
    const name = chance.pick(['another', '', '__proto__', 'constructor', 'a/b~c', '\0', '\ud800'])
    return Object.fromEntries([...Object.entries(value), [name, anything(chance)]])
  }
  const name = chance.pick(names)
  if (way === 1) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  const inner = properties[name] ?? {}
  return { ...value, [name]: breakValue(chance, inner, value[name]) }
}

function breakArray(chance: Chance, shape: Shape, value: readonly unknown[]): unknown {
  const { items = {}, maxItems = 10 } = shape
  const [first] = value
  return chance.pick<() => unknown>([
    () => [],
    () => [...value, ...value],
    () => [...value, anything(chance)],
    () => Array.from({ length: maxItems + chance.below(2) }, () => first),
    () => value.map(item => (chance.percent(50) ? breakValue(chance, items, item) : item)),
  ])()
}

const junkNames = ['another', '', '__proto__', 'Limit', 'limit[]', 'limit%00', 'constructor']

/** A value as a parameter's text; a lone surrogate is no character that can be sent. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 4000)

function breakQuery(chance: Chance, operation: Operation): string {
  const properties = operation.query ? (shapeOf(operation.query).properties ?? {}) : {}
  const names = Object.keys(properties)
  const raw = [
    'limit',
    '&&&',
    'limit=%',
    'limit=%ff',
    '?limit=1',
    'a=b=c',
    '=',
    `=${canary}`,
    '%00',
  ]
  if (chance.percent(15)) return chance.pick(raw)
  const query = new URLSearchParams()
  for (let left = 1 + chance.below(3); left > 0; left--) {
    const known = names.length > 0 && chance.percent(80)
    const name = known ? chance.pick(names) : chance.pick(junkNames)
    const shape = properties[name] ?? {}
    query.append(name, asText(chance.percent(70) ? nearly(chance, shape) : anything(chance)))
  }
  return query.toString()
}

const bytes = (chance: Chance, count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint(chance.below(256))).join('')

function breakId(chance: Chance, id: string): string {
  return chance.pick([
    () => id.toUpperCase(),
    () => id.slice(0, -1),
    () => `${id}0`,
    () => id.replace(/^[a-z]+/, chance.pick(['pat', 'case', 'rx', 'ord', 'evt', 'x'])),
    () => `${id.slice(0, -1)}${chance.pick('uilo-_%'.split(''))}`,
    () => id.replace(/.$/, last => (last === '0' ? '1' : '0')),
    () => asText(anything(chance)),
    () => canary.repeat(200),
    () => bytes(chance, 20),
  ])()
}

const breakHeader = (chance: Chance): string =>
  chance.pick([
    () => chance.pick(hostileTexts),
    () => bytes(chance, 1 + chance.below(40)),
    () => canary.repeat(100),
    () => '"'.repeat(chance.below(4)),
  ])()

/** A token that is not that key, but may be near it. */
const breakToken = (chance: Chance, token: string): string =>
  chance.pick([
    () => breakHeader(chance),
    () => token.slice(0, -1),
    () => `${token} `,
    () => token.toLowerCase(),
    () => token.replace('test', 'live'),
    () => token.replace(/.$/, last => (last === '0' ? '1' : '0')),
  ])()

// Of the formats only days are judged twice: the others are read more narrowly, or more widely,
// than the validator reads them.
const ajv = new Ajv({ strict: false, formats: { 'date-time': true, email: true, uri: true } })
addFormats.default(ajv, ['date'])

/** Whether a value holds a text that is none: a NUL, or half of a character. */
function holdsNoText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(pair => pair.some(holdsNoText))
}

const refuses = (schema: TSchema, value: unknown) =>
  holdsNoText(value) || !ajv.validate(schema, value)

function refusesQuery(operation: Operation, query: string): boolean {
  const pairs = [...new URLSearchParams(query)]
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return true
  const properties = operation.query ? (shapeOf(operation.query).properties ?? {}) : {}
  const read = pairs.map(([name, text]) => {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    if (type === 'integer' && /^-?\d+$/.test(text)) return [name, Number(text)]
    return [name, type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text]
  })
  if (!operation.query) return pairs.length > 0
  return refuses(operation.query, Object.fromEntries(read))
}

const refusesKey = (key: string) => {
  const inner = /^"[^]*"$/.test(key) && key.length > 1 ? key.slice(1, -1) : key
  return inner.length > limits.idempotencyKeyLengthMax || !/^[\x21-\x7e]+$/.test(inner)
}

const refusesBody = (operation: Operation, body: unknown) => {
  if (!operation.body || operation.body === 'none') {
    return !isObject(body) || Object.keys(body).length > 0
  }
  return refuses(operation.body, body)
}

/** The ways in which a request of this row may be broken, the likelier ones several times. */
function waysOf(
  chance: Chance,
  row: Operation,
  asked: Broken['asked'],
  token: string,
): (() => void)[] {
  const ways: (() => void)[] = [
    () => (asked.query = breakQuery(chance, row)),
    () => (asked.version = chance.percent(20) ? apiVersion : breakHeader(chance)),
    () => (asked.organization = breakHeader(chance)),
    () => {
      asked.as = breakToken(chance, token)
      // One address may send only so many refused credentials in a minute.
      asked.address = `198.51.${chance.below(256)}.${chance.below(256)}`
    },
  ]
  const { id, names = {} } = asked
  if (id !== undefined) ways.push(() => (asked.id = breakId(chance, id)))
  for (const [name, other] of Object.entries(names)) {
    ways.push(() => (asked.names = { ...asked.names, [name]: breakId(chance, other) }))
  }
  if (!isWrite(row)) return ways
  const shape = row.body && row.body !== 'none' ? shapeOf(row.body) : { properties: {} }
  const breakBody = () => (asked.body = breakValue(chance, shape, asked.body ?? {}))
  const ofBody = [breakBody, breakBody, breakBody, breakBody]
  return [...ways, ...ofBody, () => (asked.key = breakHeader(chance))]
}

/** One broken request, made from a valid one. */
export function breakRequest(
  chance: Chance,
  operation: OperationId,
  valid: Asked,
  { test: token, organization }: Who,
): Broken {
  const row = table[operation]
  const own = typeof valid.query === 'string' ? valid.query : ''
  const asked: Broken['asked'] = { ...valid, query: own }
  const ways = waysOf(chance, row, asked, token)
  for (let left = chance.pick([1, 1, 1, 2, 3]); left > 0; left--) chance.pick(ways)()
  const { id, key, version, query, body } = asked
  const sure =
    asked.as !== undefined ||
    id !== valid.id ||
    asked.names !== valid.names ||
    refusesQuery(row, query) ||
    (version !== undefined && version !== apiVersion) ||
    (asked.organization !== undefined && asked.organization !== organization) ||
    (isWrite(row) && (refusesBody(row, body ?? {}) || (typeof key === 'string' && refusesKey(key))))
  return { asked, sure }
}
