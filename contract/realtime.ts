// What subscribers of the realtime channel meet besides the token's operation: where to connect,
// what comes, and why a connection ends. It is a notification: polling and webhooks are complete
// without it.

/** Where the embedded server takes subscribers. The same host, `wss:` in the place of `https:`. */
export const realtimePath = '/v1/realtime'

/** Offered beside `bearer.<token>`, and chosen by the server. */
export const realtimeProtocol = 'svc.v1'

/** Why the server ends a connection: codes of RFC 6455, and of ours above 4000. */
export const realtimeCloses = {
  restarting: { code: 1012, reason: 'restarting, connect again' },
  subscribeOnly: { code: 1008, reason: 'subscribe only' },
  unavailable: { code: 1011, reason: 'unavailable, connect again' },
  tooSlow: { code: 1013, reason: 'too slow, read /v1/events' },
  tooMany: { code: 1013, reason: 'too many connections of this integration' },
  expired: { code: 4001, reason: 'token expired, ask for another' },
  revoked: { code: 4002, reason: 'credential revoked' },
  otherMode: { code: 4003, reason: 'token of the other mode' },
} as const

export type RealtimeClose = (typeof realtimeCloses)[keyof typeof realtimeCloses]
