// What a join link carries: which visit, for whom, and until when. Nothing of it is stored.

import type { Named } from '../files/tokens.ts'

export type Ticket = Extract<Named, { kind: 'join' }>

/** Where the waiting room is; a sealed ticket stands behind it. */
export const waitingRoomPath = '/visits/join'
