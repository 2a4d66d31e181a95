// The link with which the patient joins: made by each call for one patient and one visit, and not
// stored. The statement that reads the visit decides whether the link may be made.

import type { Output } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { Problem } from '#contract/problems.ts'
import { visitTransitions } from '#contract/states.ts'
import { sql } from '#database/sql.ts'
import { momentText } from '#database/clock.ts'
import { read, tenantOf } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { type Ticket, waitingRoomPath } from './ticket.ts'
import { joinClosesAt, joinOpensAt, refusalOf, type VisitStatus } from './visit.ts'

type JoinRow = {
  id: string
  patient: string
  status: VisitStatus
  opens_at: string
  closes_at: string
}

const joinColumns = sql`
  id, patient, status, iso(${joinOpensAt}) as opens_at, iso(${joinClosesAt}) as closes_at`

const notOpen = ({ opens_at, closes_at }: JoinRow) =>
  new Problem('join_not_open', {
    detail: 'The visit can be joined only between opens_at and closes_at.',
    members: { opens_at, closes_at },
  })

export const getJoinLink = read('getJoinLink', (call, { id }, context) => {
  const now = sql`${momentText(call.now)}::timestamptz`
  return {
    rows: sql`
      select id, ${published(joinColumns)} as item,
             case when status <> all (${visitTransitions.join.from}::text[]) then 'invalid_transition'
                  when ${now} < ${joinOpensAt} or ${now} > ${joinClosesAt} then 'join_not_open'
             end as refused
        from visits where tenant = ${tenantOf(call)} and id = ${id}`,
    refusable: {
      refusal: (code, item) => {
        const found = JSON.parse(item) as JoinRow
        return code === 'join_not_open' ? notOpen(found) : refusalOf('join', id, found.status)
      },
      answer: item => {
        const { patient } = JSON.parse(item) as JoinRow
        const { mode, tenant } = call.principal
        const expires = call.now + limits.joinLinkMinutes * 60_000
        const ticket: Ticket = { kind: 'join', mode, tenant, visit: id, patient, expires }
        const link: Output<'getJoinLink'> = {
          visit: id,
          patient,
          url: `${context.base}${waitingRoomPath}/${context.files.tokens.encrypt(ticket)}`,
          expires_at: momentText(expires),
        }
        return JSON.stringify(link)
      },
    },
  }
})
