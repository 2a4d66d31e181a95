// What a join link carries: which visit, for whom, and until when. Nothing of it is stored.

import type { TokenPayload } from '../files/tokens.ts'

export type Ticket = Extract<TokenPayload, { kind: 'join' }>

/** Where the waiting room is; a sealed ticket stands behind it. */
export const waitingRoomPath = '/visits/join'
