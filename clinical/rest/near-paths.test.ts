import { expect, test } from 'bun:test'
import { nearPaths } from './near-paths.ts'

test.each([
  ['GET', '/v1/patients/', 'GET /v1/patients'],
  ['GET', '/v1/patient', 'GET /v1/patients'],
  ['POST', '/v1/patient', 'POST /v1/patients'],
  ['GET', '/V1/Patients', 'GET /v1/patients'],
  ['GET', '/v1//patients', 'GET /v1/patients'],
  ['GET', '/v1/orders', 'GET /v1/orders/{id}'],
  ['GET', '/v1/prescriptions', 'GET /v1/cases/{id}/prescriptions'],
  ['GET', '/v1/webhooks', 'GET /v1/webhook_endpoints'],
  ['POST', '/v1/webhook-endpoints', 'POST /v1/webhook_endpoints'],
  ['GET', '/v1/billing/usage', 'GET /v1/usage'],
  ['GET', '/v1/exports', 'GET /v1/exports/{id}'],
  ['GET', '/v1/slots', 'GET /v1/visits/slots'],
  ['POST', '/v1/cases/case_1/approve', 'POST /v1/cases'],
])('near paths: %s %s suggests %s', (method, path, call) => {
  expect(nearPaths(method, path)).toContain(call)
  expect(nearPaths(method, path).length).toBeLessThanOrEqual(3)
})

test.each([
  ['GET', '/v1/case/case_01m7wqrwr07q7txy3ntfjc6jem', 'GET /v1/cases/{id}'],
  ['PATCH', '/v1/patient/pat_01m7wqrwr07q7txy3ntfjc6jem', 'PATCH /v1/patients/{id}'],
  ['GET', '/v1/case', 'GET /v1/cases'],
  ['DELETE', '/v1/webhooks/we_01m7wqrwr07q7txy3ntfjc6jem', 'DELETE /v1/webhook_endpoints/{id}'],
  ['GET', '/v1/cases/case_01m7wqrwr07q7txy3ntfjc6jem/order', 'GET /v1/cases/{id}/orders'],
])('near paths: %s %s suggests %s first', (method, path, call) => {
  expect(nearPaths(method, path)[0]).toBe(call)
})

test.each(['/v1', '/v1/', '/v1/test', '/v1/nope', '/v1/a', `/v1/${'x'.repeat(9000)}`, '/v1/%00'])(
  'near paths: %.20s suggests nothing',
  path => {
    expect(nearPaths('GET', path)).toEqual([])
  },
)
