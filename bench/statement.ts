// The statements of the pipeline as the pipeline builds them, from the handlers themselves, for
// peers that send nothing else.
import type { Asked } from '#clinical/audit.ts'
import { type Call, callOf } from '#clinical/handler.ts'
import { handlers } from '#clinical/handlers.ts'
import { placeOf } from '#clinical/places.ts'
import { reading, writing } from '#clinical/statements.ts'
import { type Input, type OperationId, table } from '#contract/clinical.ts'
import { randomHalf } from '#contract/ids.ts'
import { allScopes } from '#contract/scopes.ts'
import { openLanes, type Lanes } from '#database/lanes.ts'
import { sql, Statement } from '#database/sql.ts'
import { now, randomBytes } from '#database/time-and-chance.ts'
import type { House, Tenant } from './house.ts'

export const person = {
  external_id: 'cust_8812',
  first_name: 'Ada',
  middle_name: 'Maria',
  last_name: 'Rivera',
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female' as const,
  email: 'ada.rivera@example.com',
  phone: '+14155550142',
  address: {
    line1: '1600 Stockton Street',
    line2: 'Apt 4',
    city: 'San Francisco',
    state: 'CA' as const,
    postal_code: '94133',
    country: 'US' as const,
  },
}

/** Stands where a statement holds the key of its request. */
export const keyMark = 'the-key-of-this-write'

const fresh = () => randomHalf(randomBytes(16))

export const askedOf = (action: OperationId, target: string | null): Asked => ({
  surface: 'rest',
  action,
  target,
  request: `req_01m7wqryjr${fresh()}`,
  address: '127.0.0.1',
  agent: 'bench',
})

function callAs<K extends OperationId>(tenant: Tenant): Call<K> {
  const organization = { id: tenant.organization, name: '', slug: '', kind: '', status: 'active' }
  const { credential, integration, stream } = tenant
  const principal = { credential, integration, stream, organization, mode: 'test' as const }
  return callOf<K>({ ...principal, scopes: allScopes }, now(), fresh)
}

/** The one statement that POST /v1/patients sends. */
export function creating(tenant: Tenant): Statement {
  const call = callAs<'createPatient'>(tenant)
  const handler = handlers.createPatient
  if (handler.kind !== 'write') throw new Error('createPatient is not a write.')
  const place = placeOf(table.createPatient) ?? ''
  return writing(
    call,
    askedOf('createPatient', null),
    { key: keyMark, fingerprint: randomBytes(32) },
    table.createPatient.status,
    sql`${place}::text || '/' || id`,
    handler.write(call, handler.decide(call, person, null)),
  )
}

/** The one statement that GET /v1/events sends. */
export function listing(tenant: Tenant, input: Input<'listEvents'>): Statement {
  const call = callAs<'listEvents'>(tenant)
  const handler = handlers.listEvents
  if (handler.kind !== 'read') throw new Error('listEvents is not a read.')
  const found = handler.find(call, input)
  if (!('rows' in found)) throw new Error('Events are not rows of a table.')
  return reading(call, askedOf('listEvents', null), found.rows, sql`true`)
}

/** The same statement under another key. */
export const underKey = ({ strings, values }: Statement, key: string): Statement =>
  new Statement(
    strings,
    values.map(value => (value === keyMark ? key : value)),
  )

/** A pool as the gateway opens it: the same role, schemas and settings. */
export const poolOf = (house: House, size: number): Lanes =>
  openLanes({ url: house.urls.test, size, name: 'bench', path: 'test, public' })

export const openStream = (tenant: Tenant): Statement =>
  sql`select set_config('app.stream', ${tenant.stream}, false)`
