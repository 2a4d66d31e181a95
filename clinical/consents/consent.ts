import { sql } from '#database/sql.ts'

/** The version of the kind's document in effect; null if none was published. */
const versionInForce = sql`(
  select v.version from consent_versions v
   where v.tenant = consents.tenant and v.kind = consents.kind)`

/** A consent as the clinic sees it. Live mode has no published document versions. */
export const recordedConsent = sql`
  id, patient, kind, version, status, iso(accepted_at) as accepted_at,
  iso(created_at) as created_at`

/** A consent to a version that's no longer in effect counts as superseded. */
export const consentStatus = sql`
  case when version <> ${versionInForce} then 'superseded' else status end`

export const consentColumns = sql`
  id, patient, kind, version, ${consentStatus} as status, iso(accepted_at) as accepted_at,
  iso(created_at) as created_at, ${versionInForce} as version_in_force`
