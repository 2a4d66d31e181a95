// Whether configured services respond. sweeps/live-installation.test.ts runs the doctor with
// everything that live mode requires.
import type { AddressInfo } from 'node:net'
import { expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { now } from '#database/clock.ts'
import { readConfig } from '../settings/config.ts'
import { serviceFindings } from './services.ts'

const statuses = async (settings: Record<string, string>) =>
  (await serviceFindings(readConfig(settings))).map(({ name, status }) => [name, status])

test('doctor: ClamAV and Ably are checked if configured, and a wrong clock is a fault', async () => {
  let offMilliseconds = 0
  const ably = Bun.serve({
    port: 0,
    fetch: () => {
      const date = new Date(now() + offMilliseconds).toUTCString()
      return new Response('[1]', { headers: { date } })
    },
  })
  const clamd = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.end('stream: OK\0')
      },
    },
  })
  const settings = {
    CLAMAV_ADDRESS: `127.0.0.1:${clamd.port}`,
    ABLY_TEST_SUBSCRIBE_KEY: 'app.a:secret',
    ABLY_TEST_PUBLISH_KEY: 'app.b:secret',
    ABLY_LIVE_SUBSCRIBE_KEY: 'other.a:secret',
    ABLY_LIVE_PUBLISH_KEY: 'other.b:secret',
    ABLY_URL: `http://127.0.0.1:${ably.port}`,
  }
  const answers = [
    ['ClamAV', 'ok'],
    ['Ably', 'ok'],
  ]
  expect(await statuses(settings)).toEqual([...answers, ['clock of Ably', 'ok']])
  offMilliseconds = 60_000
  expect(await statuses(settings)).toEqual([...answers, ['clock of Ably', 'fault']])
  clamd.stop(true)
  await ably.stop(true)
  expect(await statuses({})).toEqual([])
})

test('doctor: a mail server, a bucket and a public address are checked if configured', async () => {
  const mail = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  const { port } = mail.listen(0, '127.0.0.1').address() as AddressInfo
  const web = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 404 }) })
  const settings = (mailPort: number, webPort: number | undefined) => ({
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    BASE_URL: `http://localhost:${webPort}`,
    S3_ENDPOINT: `http://localhost:${webPort}`,
    S3_BUCKET: 'documents',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'a secret',
  })
  expect(await statuses(settings(port, web.port))).toEqual([
    ['mail server', 'ok'],
    ['bucket', 'ok'],
    ['clock of the bucket', 'ok'],
    ['public address', 'ok'],
    ['clock at the public address', 'ok'],
  ])
  mail.close()
  await web.stop(true)
  expect(await statuses({ ...settings(1, 1), REDIS_URL: 'redis://127.0.0.1:1' })).toEqual([
    ['Redis', 'fault'],
    ['mail server', 'fault'],
    ['bucket', 'fault'],
    ['public address', 'warning'],
  ])
})
