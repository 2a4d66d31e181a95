// The response to a request at the realtime URL that isn't a WebSocket upgrade.

import { Problem } from '#contract/problems.ts'
import { realtimePath, realtimeProtocol } from '#contract/realtime.ts'
import type { Endpoint } from '#http/endpoint.ts'

export const upgradeRequired = (): Problem =>
  new Problem('upgrade_required', {
    detail: 'This URL is a WebSocket for realtime events.',
    hint:
      'Create a token with POST /v1/realtime/tokens, then open this address as a WebSocket with ' +
      `Sec-WebSocket-Protocol: ${realtimeProtocol}, bearer.<token>.`,
    headers: { upgrade: 'websocket', connection: 'Upgrade' },
  })

export const realtimeEndpoint: Endpoint = {
  path: realtimePath,
  methods: ['GET'],
  errorFormat: 'problem',
  answer() {
    throw upgradeRequired()
  },
}
