// Where a visit's video takes place: between the two browsers, or in a hosted service's room.

import { createHmac } from 'node:crypto'
import type { Seat } from '../tokens.ts'

/** A room is named after its visit. Times are milliseconds since 1970. */
export type Room = { readonly visit: string; readonly opensAt: number; readonly closesAt: number }

export type IceServer = {
  readonly urls: readonly string[]
  readonly username: string
  readonly credential: string
}

/** The data a browser needs to take part. */
export type RoomEntry =
  | { readonly kind: 'peer'; readonly iceServers: readonly IceServer[] }
  /** A page of the hosted service. */
  | { readonly kind: 'page'; readonly url: string }

export type VideoProvider = {
  readonly name: 'embedded' | 'daily'
  /** Enters one seat. With a hosted service, each call creates the room if it's missing. */
  entryFor(room: Room, seat: Seat): Promise<RoomEntry>
  /** Ends the room for everyone; repeating it isn't a failure. */
  end(room: Pick<Room, 'visit'>): Promise<void>
}

export type TurnSettings = {
  /** TURN URLs, such as turn:turn.example.com:3478. */
  readonly urls: readonly string[]
  /** coturn's `static-auth-secret`. */
  readonly secret: string
}

/** Media goes from browser to browser, encrypted end to end, or through a TURN server if their
 *  networks allow nothing else. Without a TURN server, some patients can't connect. */
export const embeddedVideo = (turn?: TurnSettings): VideoProvider => ({
  name: 'embedded',
  entryFor: async (room, seat) => ({
    kind: 'peer',
    iceServers: turn === undefined ? [] : [turnServer(turn, room, seat)],
  }),
  end: async () => {},
})

/** Returns a user name that expires with the visit, and its password (RFC 8489 section 9.2; coturn
 *  calls it the REST API). The name contains the visit and seat, and nothing about a person. */
function turnServer({ urls, secret }: TurnSettings, room: Room, seat: Seat): IceServer {
  const username = `${Math.ceil(room.closesAt / 1000)}:${room.visit}.${seat}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return { urls, username, credential }
}
