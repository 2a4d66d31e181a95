// The reception: where the site itself, and not a clinic, keeps something. The desk at which calls
// are booked and the answers that are given once stand on the same connections, under a role that
// sees nothing of a patient.
import { openLanes } from '#database/lanes.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import type { Desk, Keeper } from './booking/desk.ts'
import { type Links, openLinks } from './booking/links.ts'
import { openDesk } from './booking/open-desk.ts'
import { openingHours, openOpening } from './booking/opening.ts'
import { openReplies, type Replies } from './replies/replies.ts'

export type ReceptionParts = {
  /** Of the role svc_site. */
  readonly url: string
  readonly poolSize: number
  readonly pepper: string
  /** The origin under which people and agents reach the house. */
  readonly base: string
}

export type Reception = {
  readonly desk: Desk & Keeper
  readonly links: Links
  readonly replies: Replies
  readonly base: string
  /** Marks the ids that the agents' endpoints hand out. */
  readonly secret: string
  close(): Promise<void>
}

export function openReception({ url, poolSize, pepper, base }: ReceptionParts): Reception {
  const derive = (use: string) =>
    new Bun.CryptoHasher('sha256', pepper).update(`secret of the ${use}`).digest('hex')
  const lanes = openLanes({ url, size: poolSize, name: 'gateway site', path: 'site, public' })
  const links = openLinks(base, derive('booking links'))
  const desk = openDesk({
    lanes,
    opening: openOpening(openingHours),
    links,
    now,
    random: randomBytes,
    wake: () => {},
  })
  const replies = openReplies({ lanes, secret: derive('replies'), randomBytes })
  return { desk, links, replies, base, secret: derive('agents'), close: () => lanes.close() }
}
