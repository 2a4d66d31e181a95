import { Type } from 'typebox'
import { expect, test } from 'bun:test'
import { table } from '../api.ts'
import type { Operation } from '../operation.ts'
import { locationOf } from './location.ts'

type Route = Parameters<typeof locationOf>[0]
const [job, file, upload, event] = [
  Type.String(),
  Type.String(),
  Type.String(),
  Type.String(),
] as const
const get = (path: Operation['path'], returns: Operation['returns']): Route => ({
  method: 'GET',
  path,
  returns,
  status: 200,
})
const post = (path: Operation['path'], returns: Operation['returns']): Route => ({
  method: 'POST',
  path,
  returns,
  status: 201,
})
const reads = [
  get('/v1/patients/{id}/exports/{job}', job),
  get('/v1/exports/{id}', job),
  get('/v1/files/{id}', file),
  get('/v1/events/{id}', event),
]

test('Location: is the new item’s path in the collection that received the create', () => {
  expect(locationOf(table.createPatient, Object.values(table))).toBe('/v1/patients')
  expect(locationOf(table.createCase, Object.values(table))).toBe('/v1/cases')
})

test('Location: is absent when the resource can only be read in a list', () => {
  expect(locationOf(table.recordConsent, Object.values(table))).toBeNull()
  expect(locationOf(table.createMessage, Object.values(table))).toBeNull()
})

test('Location: is absent when an operation creates nothing', () => {
  expect(locationOf(table.cancelCase, Object.values(table))).toBeNull()
})

test('Location: is never a path that also needs a parent’s ID', () => {
  expect(locationOf(post('/v1/patients/{id}/exports', job), reads)).toBe('/v1/exports')
})

test('Location: is the file’s path for a file reservation, although the schemas differ', () => {
  expect(locationOf(post('/v1/files', upload), reads)).toBe('/v1/files')
})

test('Location: a resource created at another path is found by its schema', () => {
  expect(locationOf(post('/v1/test/webhooks/trigger', event), reads)).toBe('/v1/events')
})
