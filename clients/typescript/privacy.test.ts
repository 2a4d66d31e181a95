// The library logs, throws, prints and reveals nothing about a patient.
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { consentedPatient, rivera } from '#clinical/testing/call.ts'
import { sdk } from './testing/package.ts'
import { openProxy } from './testing/proxy.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(async () => {
  await gateway.close()
})

const question = 'Does it go with lithium?'
const values = (patient: string) => [
  rivera.first_name,
  rivera.last_name,
  rivera.date_of_birth,
  rivera.email,
  rivera.phone,
  rivera.address.line1,
  rivera.external_id,
  question,
  patient,
]

test('nothing about a patient is logged, thrown or printed, even at the most verbose level', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const upstream = `http://localhost:${gateway.port}`
  const proxy = await openProxy(upstream, { status: 503 }, 'cut after send', 'pass', 'cut before')
  const svc = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: proxy.url,
    logger: { error: write, warn: write, info: write, debug: write },
    logLevel: 'debug',
  })
  const events: unknown[] = []
  svc.on('response', event => void events.push(event))
  const { patient, telehealth, privacy } = await consentedPatient(gateway.fixtures)
  const failures: unknown[] = []
  const failing = (error: unknown) => void failures.push(error)
  await svc.patients.create(rivera)
  await svc.patients.list({ external_id: rivera.external_id })
  await svc.patients.get(patient)
  await svc.patients.update(patient, { ...rivera, phone: 'none' }).catch(failing)
  await svc.patients.create({ ...rivera, email: rivera.phone }).catch(failing)
  const filed = await svc.cases.create({
    patient,
    consent_ids: [telehealth, privacy],
    requested_medications: [
      { medication_id: (await svc.medications.list()).data[0]?.medication_id ?? '' },
    ],
  })
  await svc.messages.create(filed.id, { body: question })
  await svc.cases.release(filed.id).catch(failing)
  const away = new sdk.Svc({
    apiKey: gateway.fixtures.ada.test,
    baseUrl: 'http://127.0.0.1:9',
    maxRetries: 0,
  })
  await away.patients.list({ external_id: rivera.external_id }).catch(failing)
  await away.patients.get(patient).catch(failing)
  await proxy.close()

  expect(failures).toHaveLength(5)
  expect(events.length).toBeGreaterThan(8)
  expect(lines.length).toBeGreaterThan(10)
  const said = [
    ...lines,
    ...events.map(event => inspect(event, { depth: 9 })),
    ...failures.flatMap(failure => [
      inspect(failure, { depth: 9, showHidden: false }),
      Bun.inspect(failure),
      JSON.stringify(failure),
      String((failure as Error).stack),
    ]),
    inspect(svc, { depth: 9 }),
    JSON.stringify(svc),
  ]
  for (const value of [...values(patient), gateway.fixtures.ada.test]) {
    expect(said.filter(text => text.includes(value))).toEqual([])
  }
})

test('a URL in a runtime’s error is not in ours', async () => {
  const failing = () =>
    Promise.reject(new TypeError(`cannot reach http://localhost/?q=${rivera.email}`))
  const options = {
    apiKey: 'svc_sk_test_x',
    maxRetries: 0,
    fetch: failing as unknown as typeof fetch,
  }
  const error: unknown = await new sdk.Svc(options).organization.get().catch(one => one)
  expect(error).toBeInstanceOf(sdk.ConnectionError)
  expect(inspect(error)).toContain('cannot reach …')
  expect(inspect(error)).not.toContain(rivera.email)
})

test('without a logger nothing is written, even when attempts fail', async () => {
  const written: unknown[] = []
  const { log, warn, error, info, debug } = console
  const methods = { log, warn, error, info, debug }
  for (const name of Object.keys(methods) as (keyof typeof methods)[]) {
    console[name] = (...parts: unknown[]) => void written.push(parts)
  }
  try {
    const options = { apiKey: 'svc_sk_test_x', baseUrl: 'http://127.0.0.1:9', maxRetries: 1 }
    await new sdk.Svc(options).organization.get().catch(() => {})
  } finally {
    Object.assign(console, methods)
  }
  expect(written).toEqual([])
})
