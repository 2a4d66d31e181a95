// Visits with an open room, and both pages' tickets.
import { invokeOk } from '../../testing/call.ts'
import { bookedLiveVisit } from '../../testing/clinicians.ts'
import { type Fixtures, fixturesBase as base } from '../../testing/fixtures.ts'
import { queryAsOwner } from '../../testing/assertions.ts'
import { useConsole } from '../../testing/staff.ts'
import { patientIn } from '../../testing/visits.ts'
import { visitCookie } from '../visit-cookie.ts'
import { sql } from '#database/sql.ts'

export const linkTicketOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** `visitor` is the browser of every page. */
export function useRoomVisits(fixtures: Fixtures) {
  const staff = useConsole(fixtures)
  const visitor = visitCookie(base).newVisitor()

  /** Returns the ticket of the page a link opens, as the entrance creates it. */
  function pageTicketOf(url: string): string {
    const { tokens } = fixtures.context.files
    const opened = tokens.open(linkTicketOf(url))
    if (opened?.kind !== 'join') throw new Error('a join link has a ticket')
    const { seat = 'patient', ...ticket } = opened
    return tokens.encrypt({ ...ticket, kind: 'room', seat, browser: visitor.digest })
  }

  /** Creates a visit that starts in a minute, with a new clinician, and both pages' tickets. */
  async function visitNow() {
    const doctor = await staff.hire(['clinician'], { states: ['CA'] })
    const as = fixtures.ada.live
    const patient = await patientIn(fixtures, 'CA', as)
    const { id } = await bookedLiveVisit(fixtures, { as, patient, state: 'CA' })
    await queryAsOwner(
      fixtures,
      sql`update live.visits set starts_at = now() + interval '1 minute', status = 'scheduled',
                 ends_at = now() + interval '30 minutes', clinician = ${doctor.person}
           where id = ${id}`,
    )
    const theirs = await invokeOk(fixtures, 'getJoinLink', { as, id })
    const ours = await staff.ok('joinClinicVisit', { as: doctor, id })
    type Move = `${'start' | 'complete' | 'miss' | 'cancel'}ClinicVisit`
    const move = async (operation: Move) => {
      const { updated_at: version } = await invokeOk(fixtures, 'getVisit', { as, id })
      return staff.ok(operation, { as: doctor, id, body: { version } })
    }
    return { id, patient: pageTicketOf(theirs.url), clinician: pageTicketOf(ours.url), move }
  }

  return { visitor, visitNow }
}
