// Dispatches as the job does, once, for tests that look at what it did.

import type { Connection } from '#database/pool.ts'
import type { Statement } from '#database/sql.ts'
import type { NewClaim } from '../claim-new.ts'
import type { WebhookClock } from '../clock.ts'
import { dispatch, tenantsToRead } from '../dispatch.ts'

/** Reads every tenant that has something to read. */
export const dispatchOnce = async (
  connection: Connection,
  clock: WebhookClock,
  announced: Statement,
  newClaim?: NewClaim,
) => dispatch(connection, { clock, announced, tenants: await tenantsToRead(connection) }, newClaim)
