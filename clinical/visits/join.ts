// The patient's join link. Each call creates a link for one patient and one visit, and links aren't
// stored. The statement that reads the visit decides whether the link may be created.

import { minuteMilliseconds } from '#contract/moments.ts'
import type { Output } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { visitTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { momentText } from '#database/clock.ts'
import { type AnyCall, read, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { type Ticket, waitingRoomPath } from './ticket.ts'
import { joinClosesAt, joinOpensAt, refusalOf, type VisitStatus } from './visit.ts'
import type { CallServices } from '../services.ts'

export type JoinRow = {
  id: string
  patient: string
  status: VisitStatus
  opens_at: string
  closes_at: string
}

export const joinColumns = sql`
  id, patient, status, iso(${joinOpensAt}) as opens_at, iso(${joinClosesAt}) as closes_at`

const notOpen = ({ opens_at, closes_at }: JoinRow) =>
  new Problem('join_not_open', {
    detail: 'The visit can be joined only between opens_at and closes_at.',
    members: { opens_at, closes_at },
  })

/** The reason a visit can't be joined now, or null, for statements with its columns in scope. */
export const joinRefused = (moment: number) => {
  const now = sql`${momentText(moment)}::timestamptz`
  return sql`
    case when status <> all (${visitTransitions.join.from}::text[]) then 'invalid_transition'
         when ${now} < ${joinOpensAt} or ${now} > ${joinClosesAt} then 'join_not_open'
    end`
}

export const joinRefusal = (code: string, { id, ...found }: JoinRow): Problem =>
  code === 'join_not_open' ? notOpen({ id, ...found }) : refusalOf('join', id, found.status)

export const getJoinLink = read('getJoinLink', (call, { id }, context) => {
  return {
    rows: sql`
      select id, ${published(joinColumns)} as item, ${joinRefused(call.now)} as refused
        from visits where tenant = ${tenantOf(call)} and id = ${id}`,
    refusable: {
      refusal: (code, item) => joinRefusal(code, JSON.parse(item) as JoinRow),
      answer: item => {
        const { patient } = JSON.parse(item) as JoinRow
        const { visit, ...made } = joinLinkOf(call, context, { visit: id, patient })
        const link: Output<'getJoinLink'> = { visit, patient, ...made }
        return JSON.stringify(link)
      },
    },
  }
})

type Joiner = Pick<Ticket, 'visit' | 'patient' | 'seat'>

/** A link for one seat of a visit, valid for fifteen minutes. */
export function joinLinkOf(
  { principal, now }: Pick<AnyCall, 'principal' | 'now'>,
  { base, files }: Pick<CallServices, 'base' | 'files'>,
  joiner: Joiner,
) {
  const { mode, tenant } = principal
  const expires = now + limits.joinLinkMinutes * minuteMilliseconds
  const ticket: Ticket = { kind: 'join', mode, tenant, ...joiner, expires }
  return {
    visit: joiner.visit,
    url: `${base}${waitingRoomPath}/${files.tokens.encrypt(ticket)}`,
    expires_at: momentText(expires),
  }
}
