// A process that is killed without warning after it committed a call: the mail is there, because
// it was committed with it, and whoever comes next sends it, once.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { somebody } from '../testing/booking-service.ts'
import { MailHouse } from '../testing/email.ts'
import type { ProcessSettings } from '../testing/mailer-process.ts'

const house = new MailHouse()
const program = path.join(import.meta.dir, '../testing/mailer-process.ts')

/** Ids of what was committed before the kill, so many milliseconds after the last of them. */
async function killAfter(count: number, milliseconds: number): Promise<string[]> {
  const settings: ProcessSettings = {
    url: house.database.urls.site,
    smtp: house.server.url,
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
  const rows = await house.owner`select id from site.mail where subject in ${house.owner(ids)}`
  return house.server.received
    .map(({ email }) => email.messageId?.slice(1).split('@')[0] ?? '')
    .filter(id => rows.some((row: { id: string }) => row.id === id))
}

test('killed between the commit and the mail: exactly one arrives at each side', async () => {
  const release = house.server.hold()
  const ids = await killAfter(3, 0)
  release()
  await house.hurry()
  house.open()
  await house.server.until(6)
  await house.untilSettled()
  const sent = await sentAbout(ids)
  expect([sent.length, new Set(sent).size]).toEqual([6, 6])
}, 60_000)

test('killed at any moment: none is lost, and one that comes again is the same mail', async () => {
  const ids: string[] = []
  for (const milliseconds of [60, 110, 140]) ids.push(...(await killAfter(2, milliseconds)))
  await house.hurry()
  house.open()
  await house.untilSettled()
  const sent = await sentAbout(ids)
  expect(new Set(sent).size).toBe(ids.length * 2)
}, 60_000)
