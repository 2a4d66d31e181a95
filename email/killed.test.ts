// Kills a process after it committed a call. The email was committed with the call, so another
// process sends it once.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { newBuyer } from '#booking/testing/booking-service.ts'
import { EmailSetup } from '#booking/testing/email.ts'
import type { ProcessSettings } from '#booking/testing/mailer-process.ts'

const setup = new EmailSetup()
const program = path.join(import.meta.dir, '../booking/testing/mailer-process.ts')

/** Kills a process once it has committed its calls and sent this many emails. Returns the calls'
 *  IDs. */
async function killAfter(count: number, sent: number): Promise<string[]> {
  const settings: ProcessSettings = {
    url: setup.database.urls.site,
    smtp: setup.server.url,
    emails: Array.from({ length: count }, () => newBuyer().email),
  }
  const process = Bun.spawn([Bun.argv[0] ?? 'bun', program], {
    stdin: Buffer.from(JSON.stringify(settings)),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  for await (const chunk of process.stdout) {
    output += Buffer.from(chunk).toString()
    if (output.split('\n').length > count) break
  }
  await until(() => setup.server.received.length >= sent)
  process.kill('SIGKILL')
  await process.exited
  return output.trim().split('\n')
}

const sentAbout = async (ids: string[]) => {
  const rows = await setup.owner`select id from site.emails where subject in ${setup.owner(ids)}`
  return setup.server.received
    .map(({ email }) => email.messageId?.slice(1).split('@')[0] ?? '')
    .filter(id => rows.some((row: { id: string }) => row.id === id))
}

test('email: a process killed between commit and send leads to exactly one email per recipient', async () => {
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

test('email: a process killed at any time loses no email, and repeated emails are identical', async () => {
  const ids: string[] = []
  for (const more of [1, 2, 3]) {
    ids.push(...(await killAfter(2, setup.server.received.length + more)))
  }
  await setup.hurry()
  setup.open()
  await setup.untilSettled()
  const sent = await sentAbout(ids)
  expect(new Set(sent).size).toBe(ids.length * 2)
}, 60_000)
