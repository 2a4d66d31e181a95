import { expect, test } from 'bun:test'
import { ids } from '#contract/examples/resources.ts'
import { newest, withIdsOf, withYourIds } from './ids.ts'
import { faultOfKey, requestOf } from './request.ts'

const key = 'svc_sk_test_0123456789'
const form = {
  method: 'POST',
  path: '/v1/cases/{id}/cancel',
  key,
  entries: [
    { place: 'path', name: 'id', value: 'case_1/2' },
    { place: 'query', name: 'limit', value: '5' },
    { place: 'query', name: 'status', value: '' },
    { place: 'header', name: 'Service-Organization', value: '' },
  ],
  idempotencyKey: 'k1',
  body: '{}',
}

test('try it: sends only the filled-in inputs', () => {
  expect(requestOf(form)).toEqual({
    path: '/v1/cases/case_1%2F2/cancel?limit=5',
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': 'k1',
      'content-type': 'application/json',
    },
    body: '{}',
  })
  const read = requestOf({ ...form, method: 'GET', body: undefined })
  expect(read).toMatchObject({ headers: { authorization: `Bearer ${key}` }, body: undefined })
  expect(JSON.stringify(read)).not.toContain('idempotency-key')
})

test('try it: accepts every test key and refuses every other key', () => {
  const rest = '7'.repeat(49)
  expect(faultOfKey(`svc_sk_test_${rest}`)).toBeNull()
  expect(faultOfKey(`svc_sk_live_${rest}`)).toContain('real patients')
  for (const other of ['', 'svc_sk_test_', 'sk_live_1', 'Bearer x'])
    expect(faultOfKey(other)).toContain('must be a test key')
})

test('try it: names the input that must change', () => {
  expect(requestOf({ ...form, key: 'x' })).toMatchObject({ name: 'key' })
  expect(requestOf({ ...form, body: '{' })).toMatchObject({
    name: 'body',
    message: expect.stringContaining('must be JSON'),
  })
  const entries = [{ place: 'path', name: 'id', value: '' }]
  expect(requestOf({ ...form, entries })).toMatchObject({ name: 'id' })
})

const id = (prefix: string, last: string) => `${prefix}01m7wqrwr07q7txy3ntfjc6je${last}`

test('try it: your own IDs replace the examples', () => {
  let known = withIdsOf({}, { id: id('pat_', '1') })
  known = withIdsOf(known, { data: [{ id: id('cons_', '1') }, { id: id('cons_', '2') }] })
  known = withIdsOf(known, { id: id('pat_', '2') })
  expect(newest(known, 'pat_')).toBe(id('pat_', '2'))
  const example = JSON.stringify({
    patient: ids.patient,
    consent_ids: [ids.consent, id('cons_', '9')],
    medication: ids.medication,
  })
  expect(JSON.parse(withYourIds(example, known))).toEqual({
    patient: id('pat_', '2'),
    consent_ids: [id('cons_', '1'), id('cons_', '2')],
    medication: ids.medication,
  })
})

test('try it: deleted and reset resources are forgotten', () => {
  const known = withIdsOf(withIdsOf({}, { id: id('pat_', '1') }), { id: id('pat_', '2') })
  const after = withIdsOf(known, { id: id('pat_', '2'), deleted: true })
  expect(newest(after, 'pat_')).toBe(id('pat_', '1'))
  expect(withIdsOf(known, { reset: true })).toEqual({})
  expect(withIdsOf(known, 'not JSON of a resource')).toEqual(known)
})
