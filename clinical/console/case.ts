// A case as staff see it, with its claim and the person who decided it.

import { consoleLimits } from '#contract/console/row.ts'
import { Problem } from '#contract/problems.ts'
import { sql, type Statement } from '#database/sql.ts'
import { caseColumns } from '../cases/case.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import type { StaffPrincipal } from './handler.ts'

const actorIn = (person: Statement, name: Statement): Statement => sql`
  case when ${name} is null then null else (
    select row_to_json(a) from (select ${person} as person, ${name} as name) a) end`

export const decidedBy = sql`${actorIn(sql`decided_by`, sql`decided_by_name`)} as decided_by`
export const writtenBy = sql`${actorIn(sql`person`, sql`person_name`)} as by`

/** An expired claim counts as no claim. */
export const claimColumn = sql`
  case when claimed_until > now() then (
    select row_to_json(k) from (
      select claimed_by as person, claimed_by_name as name, iso(claimed_until) as until) k)
  end as claim`

export const staffCaseColumns = sql`${caseColumns}, ${claimColumn}, ${decidedBy}`

/** The claim, as part of a write's facts. */
export type ClaimFacts = {
  claim: { person: string; name: string; until: string } | null
}

/** Returns a write's facts with the claim added; `facts` must select `id`. */
export const withClaim = (call: AnyCall, facts: Statement): Statement => sql`
  select f.*, k.claim from (${facts}) f cross join lateral (
    select ${claimColumn} from cases where tenant = ${tenantOf(call)} and id = f.id) k`

/** Throws if another staff member is working on the case. */
export function notClaimed({ claim }: ClaimFacts, { person }: StaffPrincipal): void {
  if (claim === null || claim.person === person) return
  throw new Problem('case_claimed', {
    detail: `${claim.name} is working on the case.`,
    members: { claimed_by: claim.name, claimed_until: claim.until },
  })
}

export const claimInterval = sql`${consoleLimits.claimMinutes}::int * interval '1 minute'`
