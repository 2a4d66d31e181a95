// Dispatches once, as the job does, so tests can look at the result.

import type { Connection } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { NewClaim } from '../claim-new.ts'
import type { WebhookClock } from '../clock.ts'
import { dispatch, tenantsToRead } from '../dispatch.ts'

/** Reads every tenant with unread events. */
export const dispatchOnce = async (
  connection: Connection,
  clock: WebhookClock,
  announced: Statement,
  newClaim?: NewClaim,
) => dispatch(connection, { clock, announced, tenants: await tenantsToRead(connection) }, newClaim)
