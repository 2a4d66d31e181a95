// Tests the pages that show a development server's email, requested the way other sites and proxies
// would.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { now } from '#database/clock.ts'
import { testGroup, testRouter } from '#http/testing/endpoints.ts'
import { devMailEndpoints } from './dev-mail.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dev-mail-'))
const id = `mail_${'0'.repeat(26)}`
writeFileSync(
  path.join(folder, `${id}.eml`),
  'To: ada@rivera-clinic.com\r\nSubject: Pick a time\r\nContent-Type: text/html\r\n\r\n<p>ada@rivera-clinic.com https://health.example/booking/call?key=secret</p>\r\n',
)
afterAll(() => rmSync(folder, { recursive: true }))

const endpoints = devMailEndpoints(
  folder,
  async ({ body }) => new Response(body.text, { headers: { 'content-type': 'text/html' } }),
)
const { enter } = testRouter(testGroup({ endpoints }))
const origin = 'http://localhost:4130'
const ask = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
  enter(new Request(`${origin}${target}`, { method, headers }), { address: '127.0.0.1' })
/** A browser's headers when a link opens a page in a tab. */
const tab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const pages = ['/dev/mail', `/dev/mail/${id}`, `/dev/mail/${id}/html`]

describe('development mail', () => {
  test('is shown to a browser on this machine', async () => {
    for (const page of pages) {
      for (const headers of [
        {},
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'same-origin', origin },
        { 'sec-fetch-site': 'same-site', ...tab },
        { 'sec-fetch-site': 'cross-site', ...tab },
      ]) {
        const answer = await ask(page, headers)
        expect([page, answer.status]).toEqual([page, 200])
        expect(await answer.text()).toContain('ada@rivera-clinic.com')
      }
    }
  })

  test('shows the HTML as an email client does: without scripts or external content', async () => {
    const answer = await ask(`/dev/mail/${id}/html`)
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups",
    )
    expect((await ask(`/dev/mail/mail_${'1'.repeat(26)}/html`)).status).toBe(404)
  })

  test('no other origin may read or embed it', async () => {
    for (const page of pages) {
      const answer = await ask(page)
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      const preflight = await ask(page, { origin: 'https://evil.example' }, 'OPTIONS')
      expect([preflight.status, preflight.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect(preflight.headers.has('access-control-allow-origin')).toBe(false)
    }
  })

  const others: [string, Record<string, string>][] = [
    ['a fetch from another site', { 'sec-fetch-site': 'cross-site' }],
    ['a fetch from another port on this machine', { 'sec-fetch-site': 'same-site' }],
    [
      'a frame in a page on another port',
      { ...tab, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' },
    ],
    ['another origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'localhost:4130' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
  ]
  test.each(others)('refuses %s with 404 and shows nothing', async (_, headers) => {
    for (const page of pages) {
      const answer = await ask(page, headers)
      const text = await answer.text()
      expect(answer.status).toBe(404)
      expect(JSON.parse(text)).toMatchObject({
        code: 'not_found',
        detail: 'This page opens only in a browser on the server’s own machine.',
      })
      expect(text).not.toMatch(/rivera|secret|Pick a time/)
    }
  })
})

describe('development mail: the list', () => {
  const many = mkdtempSync(path.join(tmpdir(), 'dev-mails-'))
  afterAll(() => rmSync(many, { recursive: true }))
  const { enter: enterMany } = testRouter(
    testGroup({
      endpoints: devMailEndpoints(many, async ({ body }) => new Response(body.text)),
    }),
  )
  const textOf = async (target: string) => {
    const answer = await enterMany(new Request(`${origin}${target}`), { address: '127.0.0.1' })
    return answer.text()
  }
  const nameOf = (at: number) => `mail_${String(at).padStart(26, '0')}`
  const part = (type: string, name: string) =>
    `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n`
  const write = (at: number, body: string) =>
    writeFileSync(
      path.join(many, `${nameOf(at)}.eml`),
      `To: ada@rivera-clinic.com\r\nSubject: Number ${at}.\r\n${body}`,
    )

  test('has the newest hundred, newest first', async () => {
    expect(await textOf('/dev/mail')).toContain('No email yet.')
    for (let at = 1; at <= 101; at++) write(at, 'Content-Type: text/plain\r\n\r\nHello\r\n')
    const list = await textOf('/dev/mail')
    const subjects = [...list.matchAll(/Number (\d+)\./g)].map(([, at]) => Number(at))
    expect(subjects).toEqual(Array.from({ length: 100 }, (_, at) => 101 - at))
    expect(list).not.toContain('No email yet.')
  })

  test('each email shows when it was written', async () => {
    const at = new Date(now() - 5 * 60_000).toUTCString()
    write(150, `Date: ${at}\r\nContent-Type: text/plain\r\n\r\nHello\r\n`)
    for (const page of ['/dev/mail', `/dev/mail/${nameOf(150)}`]) {
      expect(await textOf(page)).toContain('>5 min ago</time>')
    }
  })

  test('an email lists its attachments, once each', async () => {
    const parts = [part('text/calendar', 'call.ics'), part('text/calendar', 'call.ics')].join('')
    write(200, `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${parts}--b--\r\n`)
    expect(await textOf(`/dev/mail/${nameOf(200)}`)).toContain('>Attached: call.ics</p>')
    write(201, 'Content-Type: text/plain\r\n\r\nHello\r\n')
    expect(await textOf(`/dev/mail/${nameOf(201)}`)).not.toContain('>Attached: ')
  })
})
