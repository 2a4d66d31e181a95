// An integrator's loop with the installed package, in plain JavaScript, so every runtime can run
// it: from a patient to a delivered order, with a refusal, a list and a helper.
import { ConsentRequiredError } from '@svc/sdk'

export async function loop(svc) {
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
