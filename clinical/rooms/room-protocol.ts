// A visit's video room: where its pages connect, and why a connection is closed.

/** The WebSocket's path, on the API's host. The ticket follows as a second protocol. */
export const roomSocketPath = '/visits/room'
export const roomProtocol = 'video.v1'

/** Codes from RFC 6455, and our own from 4000. */
export const roomCloses = {
  restarting: { code: 1012, reason: 'restarting, connect again' },
  unavailable: { code: 1011, reason: 'unavailable, connect again' },
  tooFast: { code: 1008, reason: 'too many messages' },
  unreadable: { code: 1008, reason: 'unreadable message' },
  replaced: { code: 4001, reason: 'opened in another window' },
  ended: { code: 4002, reason: 'the visit is over' },
} as const

export type RoomClose = (typeof roomCloses)[keyof typeof roomCloses]
