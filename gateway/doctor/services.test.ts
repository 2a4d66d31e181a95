// Services that respond. sweeps/live-installation.test.ts covers a mail server and a bucket, and
// services that don't respond.
import { expect, test } from 'bun:test'
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
