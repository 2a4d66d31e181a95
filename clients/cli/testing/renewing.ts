// Follows a credential's events. With RENEW_MS, renews the token after that many milliseconds
// instead of the usual fifty minutes.

import { openApi } from '../src/api/client.ts'
import { environment } from '../src/environment.ts'
import { stream } from '../src/realtime/stream.ts'

const hourMs = 3_600_000
const renewMs = environment['RENEW_MS']

const api = openApi({
  baseUrl: environment['SVC_BASE_URL'] ?? '',
  version: '0',
  timeoutMs: 10_000,
  secret: () => Promise.resolve(environment['SVC_API_KEY'] ?? ''),
})
await stream({
  api,
  backfill: false,
  onEvent: async ({ event }) => console.log(event.id),
  onSubscribed: () => console.log('subscribed'),
  onMissed: count => console.log(`missed ${count}`),
  onLost: reason => console.log(`lost: ${reason}`),
  onBack: () => console.log('back'),
  onPolling: reason => console.log(`polling: ${reason}`),
  ...(renewMs === undefined ? {} : { times: { renewBeforeMs: hourMs - Number(renewMs) } }),
})
