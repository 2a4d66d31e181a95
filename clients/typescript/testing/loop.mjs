// The loop of an integrator with the installed package, in plain JavaScript, so that every runtime
// can run it: from a patient to a delivered order, with the lists, the errors and the webhooks.
import { createRequire } from 'node:module'
import process from 'node:process'
import { ConsentRequiredError, Svc, sdkVersion } from '@svc/sdk'
import { mockSvc } from '@svc/sdk/testing'
import { signWebhook, verifySignature } from '@svc/sdk/webhooks'

async function loop(svc) {
  const patient = await svc.patients.create({
    first_name: 'Ada',
    last_name: 'Rivera',
    date_of_birth: '1988-03-14',
    sex_at_birth: 'female',
    email: 'ada.rivera@example.com',
    phone: '+14155550142',
    address: {
      line1: '1600 Stockton Street',
      city: 'San Francisco',
      state: 'CA',
      postal_code: '94133',
    },
  })
  const [medication] = await svc.medications.list().toArray({ max: 1 })
  const request = {
    patient: patient.id,
    requested_medications: [{ medication_id: medication.medication_id }],
  }
  const refused = await svc.cases.create(request).catch(error => error)
  const versions = { telehealth: '2026-09-01', privacy: '2026-09-01' }
  const { telehealth, privacy } = await svc.consents.recordBoth(patient.id, versions)
  const filed = await svc.cases
    .create({ ...request, consent_ids: [telehealth.id, privacy.id] })
    .withResponse()
  const { id } = filed.data
  await svc.test.cases.decide(id, { decision: 'approve' })
  await svc.test.cases.ship(id)
  await svc.test.cases.deliver(id)
  const events = []
  for await (const { type } of svc.cases.events(id, { limit: 3 })) events.push(type)
  const approved = await svc.cases.waitFor(id, { status: ['approved'] })
  const orders = await svc.orders.list(id)
  return {
    refused: refused instanceof ConsentRequiredError ? refused.missing : String(refused),
    status: approved.status,
    order: orders.data[0].status,
    events: events.length,
    key: filed.idempotencyKey.slice(0, 7),
  }
}

/** Written by the CommonJS build, verified by the ES module. */
async function signed() {
  const require = createRequire(import.meta.url)
  const { signWebhook: sign } = require('@svc/sdk/webhooks')
  const event = { type: 'order.shipped.v1' }
  const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'
  for (const one of [sign, signWebhook]) {
    const { body, headers } = await one({ event, secret })
    await verifySignature(body, headers, secret)
  }
  return typeof require('@svc/sdk').Svc
}

const result = {
  version: sdkVersion,
  real: await loop(new Svc({ expectMode: 'test' })),
  mock: await loop(mockSvc()),
  commonjs: await signed(),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
