// A process that is killed without warning after it committed a call: the mail is there, because
// it was committed with it, and whoever comes next sends it, once.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { somebody } from '../testing/booking-service.ts'
import { EmailSetup } from '../testing/email.ts'
import type { ProcessSettings } from '../testing/mailer-process.ts'

const setup = new EmailSetup()
const program = path.join(import.meta.dir, '../testing/mailer-process.ts')

/** Ids of what was committed before the kill, so many milliseconds after the last of them. */
async function killAfter(count: number, milliseconds: number): Promise<string[]> {
  const settings: ProcessSettings = {
    url: setup.database.urls.site,
    smtp: setup.server.url,
    emails: Array.from({ length: count }, () => somebody().email),
  }
  const process = Bun.spawn([Bun.argv[0] ?? 'bun', program], {
    stdin: Buffer.from(JSON.stringify(settings)),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  for await (const chunk of process.stdout) {
    said += Buffer.from(chunk).toString()
    if (said.split('\n').length > count) break
  }
  await Bun.sleep(milliseconds)
  process.kill('SIGKILL')
  await process.exited
  return said.trim().split('\n')
}

const sentAbout = async (ids: string[]) => {
  const rows = await setup.owner`select id from site.emails where subject in ${setup.owner(ids)}`
  return setup.server.received
    .map(({ email }) => email.messageId?.slice(1).split('@')[0] ?? '')
    .filter(id => rows.some((row: { id: string }) => row.id === id))
}

test('killed between the commit and the mail: exactly one arrives at each side', async () => {
  const release = setup.server.hold()
  const ids = await killAfter(3, 0)
  release()
  await setup.hurry()
  setup.open()
  await setup.server.until(6)
  await setup.untilSettled()
  const sent = await sentAbout(ids)
  expect([sent.length, new Set(sent).size]).toEqual([6, 6])
}, 60_000)

test('killed at any moment: none is lost, and one that comes again is the same mail', async () => {
  const ids: string[] = []
  for (const milliseconds of [60, 110, 140]) ids.push(...(await killAfter(2, milliseconds)))
  await setup.hurry()
  setup.open()
  await setup.untilSettled()
  const sent = await sentAbout(ids)
  expect(new Set(sent).size).toBe(ids.length * 2)
}, 60_000)
