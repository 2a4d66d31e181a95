// A clinic's settings, and the medications it dispenses. The database decides each change and
// writes its audit row (migrations/0008_clinics.sql).

import type { Connection, Row } from '#database/pool.ts'
import { sql } from '#database/sql.ts'
import { type ActOfClinic, decideClinicChange } from './staff.ts'
import { actOf } from '../act.ts'

export type ClinicSettings = {
  /** The name integrations see. */
  readonly name: string
  /** An IANA time zone name. */
  readonly time_zone: string
  readonly contact_email: string | null
  readonly contact_phone: string | null
  /** The address that receives incident reports. */
  readonly incident_email: string | null
}

export type ClinicRow = Row &
  ClinicSettings & {
    id: string
    slug: string
    /** The medications the clinic dispenses; null means the whole catalog. */
    formulary: string[] | null
    /** The version that the form sends back. */
    revision: string
  }

export async function readClinic(
  connection: Connection,
  organization: string,
): Promise<ClinicRow | null> {
  const [found] = await connection.run<ClinicRow>(sql`
    select o.id, o.name, o.slug, o.formulary, s.contact_email, s.contact_phone, s.incident_email,
           coalesce(s.time_zone, ${defaultZone}) as time_zone,
           coalesce(s.revision, 0)::text as revision
      from auth.organizations o left join auth.clinic_settings s on s.organization = o.id
     where o.id = ${organization} and o.sandbox_of is null`)
  return found ?? null
}

/** The time zone for clinics that haven't set one. */
export const defaultZone = 'America/New_York'

const timeZones = new Set(Intl.supportedValuesOf('timeZone'))

export const isTimeZone = (name: string): boolean => timeZones.has(name)

export function changeClinicSettings(
  connection: Connection,
  { revision, ...settings }: ClinicSettings & { revision: string },
  act: ActOfClinic,
) {
  const { name, time_zone, contact_email, contact_phone, incident_email } = settings
  if (!isTimeZone(time_zone)) throw new Error('the caller must check the time zone')
  const sent = JSON.stringify({ name, time_zone, contact_email, contact_phone, incident_email })
  return decideClinicChange(
    connection,
    sql`auth.change_clinic_settings(${act.organization}, ${sent}::text::jsonb, ${revision}::bigint,
      ${actOf(act)})`,
  )
}

/** Null `medications` means the whole catalog. */
export const changeFormulary = (
  connection: Connection,
  { medications, revision }: { medications: readonly string[] | null; revision: string },
  act: ActOfClinic,
) =>
  decideClinicChange(
    connection,
    sql`auth.change_formulary(${act.organization}, ${medications}::text[], ${revision}::bigint,
      ${actOf(act)})`,
  )
