// A gateway's clinical API in both modes.
import type { Peppers } from '#auth/pepper.ts'
import { type AppContextOptions, createContext } from '#clinical/context.ts'
import { pharmacyEndpoint } from '#clinical/pharmacy/endpoint.ts'
import { openPharmacyPool } from '#clinical/pharmacy/transmit.ts'
import { openRealtime } from '#clinical/realtime/open.ts'
import type { RoleUrls } from '#database/roles.ts'
import { pharmacyConnections } from '../processes/connections.ts'
import { storageOf } from '../settings/config.ts'
import { encryptionKeysOf } from '../settings/credentials.ts'
import type { Counters } from '#http/limits/shared-counters.ts'
import { createLiveGate } from '../live/gate.ts'
import { databaseFacts } from '../live/requirements.ts'
import { callFailure } from './failures.ts'
import type { GatewayContext } from '../settings/context.ts'
import { addressesOf } from '../origins/outgoing.ts'
import { watchWrites } from '../status/database.ts'
import { watchSchema } from '../status/schema.ts'
import { now } from '#database/clock.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { sql } from '#database/sql.ts'

/** Test mode, and live mode if the installation meets its requirements. */
export async function openModes(
  context: GatewayContext,
  parts: Omit<ClinicParts, 'isLiveOpen' | 'onDatabaseFailure'> & { urls: RoleUrls },
) {
  const live = createLiveGate(context)
  const writes = watchWrites(now, () => isReadOnly(clinic.pools.test))
  const onDatabaseFailure = writes.note
  const clinic = openClinic(context, { ...parts, isLiveOpen: live.isOpen, onDatabaseFailure })
  await live.watch(() => clinic.pools.live.use(databaseFacts))
  const pharmacies = openPharmacyPool(parts.urls.pharmacy, pharmacyConnections)
  return {
    clinic,
    live,
    writes,
    schema: watchSchema(clinic.pools.test, context.checked && { begins: context.checked }),
    /** The parts of each mode that the app uses. */
    served: { context: clinic, pharmacies: [pharmacyEndpoint(clinic, pharmacies)] },
    close: () => Promise.all([clinic.close(), pharmacies.close()]),
  }
}

/** Whether the server is read-only, as a standby or by its configuration. */
async function isReadOnly(pool: Pick<ConnectionPool, 'use'>): Promise<boolean> {
  const [row] = await pool.use(connection =>
    connection.run<{ is_read_only: boolean }>(
      sql`select current_setting('transaction_read_only') = 'on' as is_read_only`,
    ),
  )
  return row?.is_read_only === true
}

type ClinicParts = Pick<AppContextOptions, 'urls' | 'base' | 'isLiveOpen' | 'onDatabaseFailure'> & {
  peppers: Peppers
  counters: Counters
}

function openClinic(
  { config, secrets, log }: GatewayContext,
  { counters, peppers: [pepper, ...olderPeppers], ...given }: ClinicParts,
) {
  return createContext({
    ...given,
    pepper,
    olderPeppers,
    poolSize: config.poolSize,
    storage: storageOf(config),
    rateLimit: config.rateLimitRequests,
    counter: counters.open,
    encryptionKeys: encryptionKeysOf(config, secrets),
    realtime: openRealtime([pepper, ...olderPeppers], config.ably),
    addresses: addressesOf(config),
    onError: callFailure(log),
  })
}
