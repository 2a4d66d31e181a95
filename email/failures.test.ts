// Tests emails to developers about failed webhook deliveries and about malware in a document.
import { beforeAll, expect, test } from 'bun:test'
import { EmailSetup } from '#booking/testing/email.ts'
import type { FailureKind } from './failures.ts'

const setup = new EmailSetup()
const address = 'developers@brand.example'
const endpoint = 'we_01kajzq0000000000000000000'
beforeAll(async () => {
  await setup.owner`insert into auth.integrations (id, name, developers_email)
                    values ('int_mail', 'A brand', ${address})`
})

let mails = 0
const queueEmail = (kind: FailureKind, failed: number) => setup.owner`
  select site.queue_developers_email(${`mail_${mails++}`}, 'int_mail', ${endpoint}, ${kind},
    ${JSON.stringify({ mode: 'live', failed, host: 'hooks.brand.example' })}::text::jsonb)`

test('email: developers get three emails about a failing endpoint, each with what to do next', async () => {
  await queueEmail('event_failed', 1)
  await queueEmail('events_failing', 10)
  await queueEmail('endpoint_disabled', 20)
  for (let at = 0; at < 3; at++) setup.open()
  await setup.server.until(3)
  await setup.untilSettled()
  const sent = setup.sentTo(address).map(({ email }) => email)
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Webhook delivery to hooks.brand.example failed (live mode)',
    '10 webhook deliveries in a row to hooks.brand.example failed (live mode)',
    'Endpoint at hooks.brand.example disabled (live mode)',
  ])
  for (const { text = '', html = '', messageId, replyTo } of sent) {
    for (const body of [text, html]) {
      expect(body).toContain(endpoint)
      expect(body).toContain(`https://portal.health.example/int_mail/live/webhooks/${endpoint}`)
    }
    expect(messageId).toMatch(/^<mail_\d@health\.example>$/)
    expect(replyTo?.[0]?.address).toBe('sales@health.example')
  }
  expect(sent[2]?.text).toContain('/v1/events')
  expect(await setup.owner`select from site.emails where facts is not null`).toHaveLength(0)
})

test('email: developers get an email about malware, with the document and what to do next', async () => {
  const file = 'file_01kajzq0000000000000000000'
  await setup.owner`
    select site.queue_developers_email(${`mail_${mails++}`}, 'int_mail', ${file}, 'malware_found',
      '{"mode": "live"}')`
  setup.open()
  await setup.server.until(1)
  await setup.untilSettled()
  const [sent] = setup.sentTo(address).map(({ email }) => email)
  expect(sent?.subject).toBe(`Malware found in ${file} (live mode)`)
  for (const body of [sent?.text ?? '', sent?.html ?? '']) {
    expect(body).toContain(`GET /v1/files/${file}`)
    expect(body).toContain('/docs/files')
  }
})
