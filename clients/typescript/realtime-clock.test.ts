// The packed library's subscriptions when this machine's clock is wrong.
import { afterAll, expect, test } from 'bun:test'
import { until } from '#http/testing/until.ts'
import { realtimePath, realtimeProtocol } from './src/generated/contract.ts'
import { sdk } from './testing/package.ts'

const minute = 60_000
/** What the server's clock and a token's expiration show, in minutes after this machine's clock. */
const clocks = { behind: { server: -55, expires: 5 }, ahead: { server: 55, expires: 60 } }
const tokens = { behind: 0, ahead: 0 }
type Clock = keyof typeof clocks

const after = (minutes: number) => new Date(Date.now() + minutes * minute)
const token = [{ kid: 'test' }, {}]
  .map(part => btoa(JSON.stringify(part)))
  .join('.')
  .replaceAll('=', '')

const server = Bun.serve({
  port: 0,
  fetch(request, self) {
    const clock = request.headers.get('service-organization') as Clock
    if (new URL(request.url).pathname === realtimePath) {
      const headers = { 'sec-websocket-protocol': realtimeProtocol }
      self.upgrade(request, { headers, data: undefined })
      return undefined
    }
    tokens[clock]++
    const expires_at = after(clocks[clock].expires).toISOString()
    const headers = { date: after(clocks[clock].server).toUTCString() }
    return Response.json({ token, channel: 'c', mode: 'test', expires_at }, { headers })
  },
  websocket: {
    open: socket => void socket.send(JSON.stringify({ name: 'hello', data: {} })),
    message() {},
  },
})
afterAll(() => server.stop(true))

test('a subscription renews its token by the server’s clock', async () => {
  const baseUrl = `http://localhost:${server.port}`
  const subscribe = async (organization: Clock) => {
    let isConnected = false
    const onStatus = () => (isConnected = true)
    const svc = new sdk.Svc({ apiKey: 'svc_sk_test_0', baseUrl, organization })
    const subscription = svc.realtime.subscribe({ onStatus })
    await until(() => isConnected)
    return subscription
  }
  // Both check once a second. When the second has renewed its token, the first has checked, too.
  const subscriptions = [await subscribe('behind'), await subscribe('ahead')]
  await until(() => tokens.ahead >= 2)
  expect(tokens.behind).toBe(1)
  for (const subscription of subscriptions) subscription.close()
})
