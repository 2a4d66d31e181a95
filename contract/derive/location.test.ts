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

test('a new resource is read under its collection', () => {
  expect(locationOf(table.createPatient, Object.values(table))).toBe('/v1/patients')
  expect(locationOf(table.createCase, Object.values(table))).toBe('/v1/cases')
})

test('what is read in a list only has no place', () => {
  expect(locationOf(table.recordConsent, Object.values(table))).toBeNull()
  expect(locationOf(table.createMessage, Object.values(table))).toBeNull()
})

test('nothing that creates nothing has a place', () => {
  expect(locationOf(table.cancelCase, Object.values(table))).toBeNull()
})

test('a path through a parent, which the answer cannot fill in, is passed over', () => {
  expect(locationOf(post('/v1/patients/{id}/exports', job), reads)).toBe('/v1/exports')
})

test('a reservation is read where the file will be, though it is another schema', () => {
  expect(locationOf(post('/v1/files', upload), reads)).toBe('/v1/files')
})

test('a resource made elsewhere is read where its schema is', () => {
  expect(locationOf(post('/v1/test/webhooks/trigger', event), reads)).toBe('/v1/events')
})
