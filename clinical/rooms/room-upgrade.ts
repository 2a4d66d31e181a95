// Upgrades requests to the WebSocket of a video room page.
import type { Server } from 'bun'
import { Problem } from '#contract/problems.ts'
import { roomProtocol } from './room-protocol.ts'
import { visitCookie } from './visit-cookie.ts'
import { roomTicketOf } from './room.ts'
import { upgradeRequired } from '../realtime/upgrade-required.ts'
import type { AddressOf } from '#http/client-address.ts'
import type { HostCheck } from '#http/host-check.ts'
import { newSlot, type RoomContext, type RoomSlot } from './room-socket.ts'
import { offeredProtocols } from '#http/websocket.ts'

export type RoomGuards = {
  base: string
  isAllowedHost: HostCheck
  addressOf: AddressOf
}

/** Returns null once the connection is a WebSocket. */
export function upgradeToRoom(
  { context, base, isAllowedHost, addressOf }: RoomGuards & { context: RoomContext },
  request: Request,
  server: Server<RoomSlot>,
  id: string,
): Problem | null {
  const { headers } = request
  if (!isAllowedHost(headers.get('host'))) return misdirected
  // Another site's page has no ticket of its own. This check keeps that page from using a leaked
  // ticket.
  const origin = headers.get('origin')
  if (origin !== null && origin !== base && URL.parse(origin)?.host !== headers.get('host')) {
    return new Problem('forbidden', { detail: 'A room can be entered only from its own page.' })
  }
  const [, written = ''] = offeredProtocols(request)
  const visitor = visitCookie(base).visitorOf({
    method: request.method,
    header: name => headers.get(name),
  })
  const ticket = roomTicketOf(context, written, visitor)
  if (ticket === null) {
    return new Problem('unauthorized', {
      detail: 'No room ticket that is valid in this browser was sent.',
      hint: 'Open a new link from GET /v1/visits/{id}/join. Its page enters the room.',
    })
  }
  const address = addressOf(server.requestIP(request)?.address, headers.get('x-forwarded-for'))
  const agent = headers.get('user-agent')?.slice(0, 256) ?? null
  const data = newSlot(ticket, crypto.randomUUID(), { request: id, address, agent })
  const selected = { 'sec-websocket-protocol': roomProtocol }
  return server.upgrade(request, { data, headers: selected }) ? null : upgradeRequired()
}

const misdirected = new Problem('misdirected_request', {
  detail: 'This server does not serve the host in the Host header.',
})
