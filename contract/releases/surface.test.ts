import { expect, test } from 'bun:test'
import { currentSurface } from './record.ts'
import { lineOf, releases } from './releases.ts'
import type { Node } from '../derive/schemas.ts'
import { changesBetween, surfaceOf } from './surface.ts'

const field = (more: Node = {}): Node => ({ type: 'string', ...more })
const object = (properties: Node): Node => ({ type: 'object', properties })
const json = (schema: Node): Node => ({ content: { 'application/json': { schema } } })
const ref = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** Builds a document with two operations: one creates a pet, whose toys are also a schema, and the
 *  other lists pets. */
const documentOf = (given: {
  pet?: Node
  toy?: Node
  body?: Node
  query?: Node[]
  more?: Node
}) => ({
  paths: {
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: json(given.body ?? object({ name: field(), toys: { items: ref('Toy') } })),
        responses: { '201': json(ref('Pet')), '400': json(object({ code: field() })) },
      },
      get: {
        operationId: 'listPets',
        parameters: given.query ?? [{ in: 'query', name: 'limit' }],
        responses: { '200': json(object({ data: { items: ref('Pet') } })) },
      },
    },
    ...given.more,
  },
  webhooks: { 'pet.created.v1': {} },
  components: {
    schemas: {
      Pet: given.pet ?? object({ id: field(), toys: { items: ref('Toy') }, mother: ref('Pet') }),
      Toy: given.toy ?? object({ color: field() }),
    },
  },
})

const linesOf = (after: Parameters<typeof documentOf>[0], before = {}) =>
  changesBetween(surfaceOf(documentOf(before)), surfaceOf(documentOf(after))).map(one =>
    lineOf(one),
  )

test('a document has no changes compared to itself', () => {
  expect(linesOf({})).toEqual([])
})

test('a schema’s field is listed once, with every operation that returns it', () => {
  const toy = object({ color: field(), size: field() })
  expect(linesOf({ toy })).toEqual([
    'added toys[].size in the request of createPet',
    'added Toy.size in the response of createPet, listPets',
  ])
})

test('a request’s and a query’s fields are added, deprecated and removed', () => {
  const body = object({ name: field({ deprecated: true }), first_name: field() })
  const query = [{ in: 'query', name: 'since' }]
  expect(linesOf({ body, query })).toEqual([
    'added first_name in the request of createPet',
    'added ?since of listPets',
    'deprecated name in the request of createPet',
    'removed toys in the request of createPet',
    'removed toys[].color in the request of createPet',
    'removed ?limit of listPets',
  ])
  expect(linesOf({ body }, { body })).toEqual([])
})

test('an operation is added, deprecated and removed without its fields', () => {
  const path = (more: Node) => ({ '/toys': { get: { operationId: 'listToys', ...more } } })
  expect(linesOf({ more: path({}) })).toEqual(['added operation listToys'])
  expect(linesOf({ more: path({ deprecated: true }) }, { more: path({}) })).toEqual([
    'deprecated operation listToys',
  ])
  expect(linesOf({}, { more: path({}) })).toEqual(['removed operation listToys'])
})

test('an event type is added', () => {
  const before = surfaceOf(documentOf({}))
  const after = { ...before, events: [...before.events, 'pet.fed.v1'] }
  expect(changesBetween(before, after).map(one => lineOf(one))).toEqual(['added event pet.fed.v1'])
})

test('a body whose schema contains itself is read once', () => {
  const pet = object({ name: field(), mother: ref('Pet') })
  const { operations } = surfaceOf(documentOf({ pet, body: ref('Pet') }))
  expect(operations['createPet']?.request).toEqual(['#/name', '#/mother'])
})

test('releases: each is newer than the next, and lists only names in the API, now or earlier', () => {
  const dates = releases.map(({ date }) => date)
  expect(dates).toEqual([...new Set(dates)].toSorted().toReversed())
  expect(dates.length).toBeGreaterThan(0)
  const { operations, events } = currentSurface()
  for (const { in: place, change, name = '', operations: ids } of releases.flatMap(
    one => one.changes,
  )) {
    if (change === 'removed') continue
    if (place === 'event') expect(events).toContain(name)
    for (const id of ids) expect([id, Object.hasOwn(operations, id)]).toEqual([id, true])
  }
})
