// Claiming a case starts its review, and releasing the claim lets others review it. Claims expire.
// A claim shows who is working on a case; the case's version decides whose change succeeds.

import { sql, type Statement } from '#database/sql.ts'
import { allow, type CaseFacts, caseFacts } from '../cases/case.ts'
import { emitAny, event } from '../pipeline/emit.ts'
import { clock } from '../pipeline/clock.ts'
import { type AnyCall, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { claimInterval, type ClaimFacts, notClaimed, staffCaseColumns, withClaim } from './case.ts'
import { actorOf, sameVersion, write } from './handler.ts'

type Facts = CaseFacts & ClaimFacts

/** Locks the case at the version the decision was based on, unless another person has claimed the
 *  case since. A claim doesn't change the version. */
const heldUnclaimed = (call: AnyCall, current: CaseFacts): Statement => sql`
  held as materialized (
    select id from cases
     where tenant = ${tenantOf(call)} and id = ${current.id}
       and updated_at = ${current.updated_at}::timestamptz and exists (select from go)
       and (claimed_until is null or claimed_until <= now() or claimed_by = ${call.principal.person})
       for no key update
  )`

export const claimCase = write('claimCase', {
  facts: (call, { id }) => withClaim(call, caseFacts(call, id)),
  decide: (call, input, found: Facts | null) => {
    const current = sameVersion(found, input)
    notClaimed(current, call.principal)
    allow(current, 'decide')
    const { id, status } = current
    // Review starts with the first claim; in every other state only the claim changes.
    const begins = status === 'queued'
    const events = begins ? [event(1, 'case.in_review.v1', id, status, 'in_review')] : []
    return { current, by: actorOf(call), events }
  },
  write: (call, { current, by, events }) => {
    const claimed = sql`claimed_by = ${by.person}, claimed_by_name = ${by.name},
      claimed_until = now() + ${claimInterval}`
    const changed = sql`
       where tenant = ${tenantOf(call)} and id = ${current.id}
      returning id, ${published(staffCaseColumns)} as answer`
    return events.length > 0
      ? sql`
    ${heldUnclaimed(call, current)}, ${clock(call, 2, sql`held`)},
    changed as (
      update cases set status = 'in_review', status_at = c.at, updated_at = c.at, ${claimed}
        from clock c ${changed}
    ), ${emitAny(call, events)}`
      : sql`
    ${heldUnclaimed(call, current)},
    changed as (update cases set ${claimed} from (select from held) h ${changed})`
  },
})

export const unclaimCase = write('unclaimCase', {
  facts: (call, { id }) => withClaim(call, caseFacts(call, id)),
  decide: (call, input, found: Facts | null) => {
    const current = sameVersion(found, input)
    notClaimed(current, call.principal)
    return current
  },
  write: (call, current) => sql`
    ${heldUnclaimed(call, current)},
    changed as (
      update cases set claimed_by = null, claimed_by_name = null, claimed_until = null
        from (select from held) h
       where tenant = ${tenantOf(call)} and id = ${current.id}
      returning id, ${published(staffCaseColumns)} as answer
    )`,
})
