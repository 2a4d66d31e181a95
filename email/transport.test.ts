// Tests the names and modes of email files, that an attachment can't name a file or URL to read,
// and the mail server check.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Mail } from './compose.ts'
import { startSmtpServer } from './testing/smtp-server.ts'
import { fileTransport, verifySmtp } from './transport.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'transport-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ada = { name: 'Ada', address: 'ada@rivera-clinic.com' }
const mail: Mail = {
  id: 'mail_1',
  from: { name: 'Example Health', address: 'hello@health.example' },
  to: ada,
  replyTo: 'sales@health.example',
  subject: 'Pick a time',
  text: 'One\nTwo\n',
  html: '<p>One</p>',
  messageId: '<mail_1@health.example>',
  date: new Date('2027-03-08T13:30:00Z'),
  headers: { 'Auto-Submitted': 'auto-generated' },
}
const modeOf = (name: string) => (statSync(name).mode & 0o777).toString(8)

test('email files: each is one file in a folder that only its owner can read', async () => {
  const nested = path.join(folder, 'data', 'mail')
  for (let times = 0; times < 2; times++) {
    const transport = fileTransport(nested)
    await transport.send(mail)
    await transport.send({ ...mail, id: 'mail_2' })
    transport.close()
  }
  expect(readdirSync(nested).toSorted()).toEqual(['mail_1.eml', 'mail_2.eml'])
  expect(modeOf(nested)).toBe('700')
  expect(modeOf(path.join(nested, 'mail_1.eml'))).toBe('600')
  const text = readFileSync(path.join(nested, 'mail_1.eml'), 'utf8')
  expect(text).toContain('Auto-Submitted: auto-generated\r\n')
  expect(text).toContain('One\r\nTwo')
})

test.each([
  ['file', { path: import.meta.path }, 'EFILEACCESS'],
  ['address', { href: 'http://127.0.0.1:9/' }, 'EURLACCESS'],
])('email files: an attachment that names a %s is refused', async (_, source, code) => {
  const attachments = [{ filename: 'x.txt', contentType: 'text/plain', ...source }]
  const hostile = { ...mail, attachments } as unknown as Mail
  await expect(fileTransport(folder).send(hostile)).rejects.toMatchObject({ code })
})

test('mail server: verified by its greeting, within the time limit', async () => {
  const server = await startSmtpServer()
  await verifySmtp(server.url, 2000)
  const release = server.hold()
  await expect(verifySmtp(server.url, 100)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  release()
  await server.close()
  await expect(verifySmtp(server.url, 2000)).rejects.toMatchObject({ syscall: 'connect' })
})

/** Sends one email while no file can be opened, then another one. */
const withoutFiles = `
  import { closeSync, openSync } from 'node:fs'
  import { fileTransport } from './transport.ts'
  const [mail, folder] = JSON.parse(await Bun.stdin.text())
  const transport = fileTransport(folder)
  const one = { ...mail, date: new Date(mail.date) }
  const send = () => transport.send(one).then(() => 'sent', () => 'refused')
  const open = []
  try {
    for (;;) open.push(openSync('/dev/null'))
  } catch {}
  const first = await send()
  for (const one of open) closeSync(one)
  console.log(first, await send())`

test('email files: if no file could be opened for one email, the next one is still sent', async () => {
  const name = path.join(folder, 'later')
  const child = Bun.spawn(
    ['sh', '-c', 'ulimit -n 100 && exec "$0" -e "$1"', process.execPath, withoutFiles],
    { cwd: import.meta.dir, stdin: Buffer.from(JSON.stringify([mail, name])), stderr: 'inherit' },
  )
  expect(await new Response(child.stdout).text()).toBe('refused sent\n')
  expect(readdirSync(name)).toEqual(['mail_1.eml'])
})
