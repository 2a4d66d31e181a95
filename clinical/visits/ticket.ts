// The payload of a join link: the visit, its patient and the expiry. It is not stored.

import type { TokenPayload } from '../files/tokens.ts'

export type Ticket = Extract<TokenPayload, { kind: 'join' }>

/** The path of the waiting room; an encrypted ticket follows it. */
export const waitingRoomPath = '/visits/join'
