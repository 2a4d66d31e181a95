import { expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { now } from '#database/clock.ts'
import { openAuthority } from '#http/testing/certificates.ts'
import { readConfig } from '../settings/config.ts'
import { certificateFindings, healthFindings } from './running.ts'

const database = 'postgres://owner@localhost/clinic'

test('doctor: an expiring certificate is a warning from 21 days, and a fault from 7', async () => {
  const authority = openAuthority(now())
  const shown = [90, 20, 6, -1].map(days =>
    Bun.serve({
      port: 0,
      tls: authority.sign('localhost', -2, days),
      fetch: () => new Response(null),
    }),
  )
  const [base, auth, portal, console] = shown.map(({ port }) => `https://localhost:${port}`)
  const mail = new SMTPServer({ authOptional: true, ...authority.sign('localhost', -1, 20) })
  await new Promise<void>(go => void mail.listen(0, '127.0.0.1', go))
  const { port } = mail.server.address() as { port: number }
  const config = readConfig({
    BASE_URL: base,
    AUTH_URL: auth,
    PORTAL_URL: portal,
    CONSOLE_URL: console,
    // Nothing listens at this URL, and the checks that use the URL report that.
    MCP_URL: 'https://localhost:1/mcp',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  })
  const found = await certificateFindings(config, database)
  expect(found.map(({ name, status }) => [name.split(' ').at(-1), status])).toEqual([
    ['BASE_URL', 'ok'],
    ['AUTH_URL', 'warning'],
    ['PORTAL_URL', 'fault'],
    ['CONSOLE_URL', 'fault'],
    ['SMTP_URL', 'warning'],
  ])
  expect(found[3]?.text).toStartWith('Expired on')
  await Promise.all(shown.map(each => each.stop(true)))
  mail.close()
})

test('doctor: an unreachable mail server or database has no certificate finding', async () => {
  const config = readConfig({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const off = 'postgres://owner@127.0.0.1:1/clinic?sslmode=verify-full'
  expect(await certificateFindings(config, off)).toEqual([])
})

test('doctor: includes the self-reports of the gateway at BASE_URL', async () => {
  const checks = { 'database:writes': [{ status: 'fail', output: 'The disk is full.' }] }
  const at = (body: unknown, type = 'application/health+json') => {
    const server = Bun.serve({
      port: 0,
      fetch: () => new Response(JSON.stringify(body), { headers: { 'content-type': type } }),
    })
    const config = readConfig({ BASE_URL: `http://localhost:${server.port}` })
    return healthFindings(config).finally(() => server.stop(true))
  }
  expect(await at({ checks })).toEqual([
    { name: 'health database:writes', status: 'fault', text: 'The disk is full.' },
  ])
  expect((await at({ checks: { 'a:b': [{ status: 'pass' }] } }))[0]?.status).toBe('ok')
  expect(await at({}, 'text/html')).toEqual([])
})
