// Malformed requests for an operation, each made from a valid one. A second validator, Ajv, decides
// which of them must be refused.

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type CallableId, callable } from '#contract/callable.ts'
import { apiVersion, limits } from '#contract/limits.ts'
import { isWrite, type CredentialOperation } from '#contract/operation.ts'
import type { CallOptions } from '../call.ts'
import { type Shape, shapeOf } from '../../pipeline/validate.ts'
import type { IntegrationFixture } from '../fixtures.ts'
import type { Draw } from './draw.ts'
import { anything, canary, hostileTexts, nearly } from './values.ts'

export type MalformedCall = {
  options: CallOptions & { query: string }
  /** Whether the request must be refused. If false, it may be valid by chance. */
  mustBeRefused: boolean
}

const filled = (shape: Shape): Shape => shape.anyOf?.find(one => one.type !== 'null') ?? shape

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value with one thing changed somewhere in it. */
function breakValue(draw: Draw, schema: Shape, value: unknown): unknown {
  const shape = filled(schema)
  if (draw.percent(12)) return anything(draw)
  if (shape.properties && isObject(value)) return breakObject(draw, shape.properties, value)
  if (shape.items && Array.isArray(value)) return breakArray(draw, shape, value)
  return draw.percent(60) ? nearly(draw, shape) : anything(draw)
}

function breakObject(
  draw: Draw,
  properties: Record<string, Shape>,
  value: Record<string, unknown>,
): unknown {
  const names = Object.keys(properties)
  const way = draw.below(10)
  if (way === 0 || names.length === 0) {
    const name = draw.pick(['another', '', '__proto__', 'constructor', 'a/b~c', '\0', '\ud800'])
    return Object.fromEntries([...Object.entries(value), [name, anything(draw)]])
  }
  const name = draw.pick(names)
  if (way === 1) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  const inner = properties[name] ?? {}
  return { ...value, [name]: breakValue(draw, inner, value[name]) }
}

function breakArray(draw: Draw, shape: Shape, value: readonly unknown[]): unknown {
  const { items = {}, maxItems = 10 } = shape
  const [first] = value
  return draw.pick<() => unknown>([
    () => [],
    () => [...value, ...value],
    () => [...value, anything(draw)],
    () => Array.from({ length: maxItems + draw.below(2) }, () => first),
    () => value.map(item => (draw.percent(50) ? breakValue(draw, items, item) : item)),
  ])()
}

const junkNames = ['another', '', '__proto__', 'Limit', 'limit[]', 'limit%00', 'constructor']

/** Returns a value as a parameter's text. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 4000)

function breakQuery(draw: Draw, operation: CredentialOperation): string {
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
  if (draw.percent(15)) return draw.pick(raw)
  const query = new URLSearchParams()
  for (let left = 1 + draw.below(3); left > 0; left--) {
    const known = names.length > 0 && draw.percent(80)
    const name = known ? draw.pick(names) : draw.pick(junkNames)
    const shape = properties[name] ?? {}
    query.append(name, asText(draw.percent(70) ? nearly(draw, shape) : anything(draw)))
  }
  return query.toString()
}

const bytes = (draw: Draw, count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint(draw.below(256))).join('')

function breakId(draw: Draw, id: string): string {
  return draw.pick([
    () => id.toUpperCase(),
    () => id.slice(0, -1),
    () => `${id}0`,
    () => id.replace(/^[a-z]+/, draw.pick(['pat', 'case', 'rx', 'ord', 'evt', 'x'])),
    () => `${id.slice(0, -1)}${draw.pick('uilo-_%'.split(''))}`,
    () => id.replace(/.$/, last => (last === '0' ? '1' : '0')),
    () => asText(anything(draw)),
    () => canary.repeat(200),
    () => bytes(draw, 20),
  ])()
}

const breakHeader = (draw: Draw): string =>
  draw.pick([
    () => draw.pick(hostileTexts),
    () => bytes(draw, 1 + draw.below(40)),
    () => canary.repeat(100),
    () => '"'.repeat(draw.below(4)),
  ])()

/** Returns a token that differs from the key, perhaps only slightly. */
const breakToken = (draw: Draw, token: string): string =>
  draw.pick([
    () => breakHeader(draw),
    () => token.slice(0, -1),
    () => `${token} `,
    () => token.toLowerCase(),
    () => token.replace('test', 'live'),
    () => token.replace(/.$/, last => (last === '0' ? '1' : '0')),
  ])()

// `date` is the only format that both validators check. For the other formats, the API accepts more
// or fewer values than Ajv.
const ajv = new Ajv({ strict: false, formats: { 'date-time': true, email: true, uri: true } })
addFormats.default(ajv, ['date'])

/** Whether a value contains a string PostgreSQL can't store: a NUL or a lone surrogate. */
function hasInvalidText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(pair => pair.some(hasInvalidText))
}

const refuses = (schema: TSchema, value: unknown) =>
  hasInvalidText(value) || !ajv.validate(schema, value)

function refusesQuery(operation: CredentialOperation, query: string): boolean {
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

const refusesBody = (operation: CredentialOperation, body: unknown) => {
  if (!operation.body || operation.body === 'none') {
    return !isObject(body) || Object.keys(body).length > 0
  }
  return refuses(operation.body, body)
}

/** Returns the mutations for this row's requests; frequent mutations are repeated. */
function mutationsOf(
  draw: Draw,
  row: CredentialOperation,
  options: MalformedCall['options'],
  token: string,
): (() => void)[] {
  const mutations: (() => void)[] = [
    () => (options.query = breakQuery(draw, row)),
    () => (options.version = draw.percent(20) ? apiVersion : breakHeader(draw)),
    () => (options.organization = breakHeader(draw)),
    () => {
      options.as = breakToken(draw, token)
      // Refused credentials are limited per minute and address.
      options.address = `198.51.${draw.below(256)}.${draw.below(256)}`
    },
  ]
  const { id, names = {} } = options
  if (id !== undefined) mutations.push(() => (options.id = breakId(draw, id)))
  for (const [name, other] of Object.entries(names)) {
    mutations.push(() => (options.names = { ...options.names, [name]: breakId(draw, other) }))
  }
  if (!isWrite(row)) return mutations
  const shape = row.body && row.body !== 'none' ? shapeOf(row.body) : { properties: {} }
  const breakBody = () => (options.body = breakValue(draw, shape, options.body ?? {}))
  const ofBody = [breakBody, breakBody, breakBody, breakBody]
  return [...mutations, ...ofBody, () => (options.key = breakHeader(draw))]
}

/** Makes a malformed request from a valid one. */
export function breakRequest(
  draw: Draw,
  operation: CallableId,
  valid: CallOptions,
  { test: token, organization }: IntegrationFixture,
): MalformedCall {
  const row = callable[operation]
  const own = typeof valid.query === 'string' ? valid.query : ''
  const options: MalformedCall['options'] = { ...valid, query: own }
  const mutations = mutationsOf(draw, row, options, token)
  for (let left = draw.pick([1, 1, 1, 2, 3]); left > 0; left--) draw.pick(mutations)()
  const { id, key, version, query, body } = options
  const mustBeRefused =
    options.as !== undefined ||
    id !== valid.id ||
    options.names !== valid.names ||
    refusesQuery(row, query) ||
    (version !== undefined && version !== apiVersion) ||
    (options.organization !== undefined && options.organization !== organization) ||
    (isWrite(row) && (refusesBody(row, body ?? {}) || (typeof key === 'string' && refusesKey(key))))
  return { options, mustBeRefused }
}
