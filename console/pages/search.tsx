// The search behind ⌘K: patients, ID lookups, and pages.
import { localDay } from '#http/html/zone.tsx'
import { consolePageIds, consolePages } from '#contract/console/table.ts'
import type { ConsolePage } from '#contract/console/page.ts'
import { jumpPage, type JumpHit, matching, queryOf } from '#http/pages/jump.tsx'
import type { ConsoleCall, ConsoleHandler, OperationResult } from '../context.ts'
import { orderNumber } from './orders/number.ts'
import { bornText, patientName } from './patient-name.ts'
import { searchLabel } from './search-label.ts'

export const showSearch: ConsoleHandler = async ({ now }, call) => {
  const query = queryOf(call)
  const today = localDay(now(), call.zone)
  return jumpPage(call, {
    path: call.pathOf('search'),
    label: searchLabel(call),
    groups: [
      ...(query === '' || !call.mayOpen('patients') ? [] : await people(call, query, today)),
      { title: 'Pages', hits: pageHits(call, query) },
    ],
    hint: call.mayOpen('patients')
      ? 'Try a date of birth, phone, email, order number or full ID.'
      : 'Try a page title.',
  })
}

type PatientMatches = Extract<OperationResult<'findPatients'>, { problem: null }>['value']

async function people(call: ConsoleCall, q: string, today: Temporal.PlainDate) {
  const answer = await call.perform('findPatients', { id: null, query: { q } })
  if (answer.problem) return []
  const { data, has_more, found } = answer.value
  const hits = data.slice(0, shownMax).map(one => ({
    href: patientPath(call, one, q),
    label: patientName(one),
    detail: [bornText(one.date_of_birth, today), one.state, one.external_id]
      .filter(Boolean)
      .join(' · '),
  }))
  const isMore = has_more || data.length > shownMax
  const all = { href: call.pathOf('patients', {}, { q }), label: `All matches for “${q}”` }
  return [
    { title: 'Go to', hits: targetHits(call, found) },
    { title: 'Patients', hits: isMore ? [...hits, all] : hits },
  ]
}

const shownMax = 7

/** The path to the chart for people who may read it, or to the newest order for the pharmacy. */
export const patientPath = (
  call: ConsoleCall,
  one: PatientMatches['data'][number],
  q = '',
): string =>
  call.mayOpen('patient')
    ? call.pathOf('patient', { id: one.id })
    : one.order === null
      ? call.pathOf('patients', {}, { q })
      : call.pathOf('order', { id: one.order.id })

const targetHits = (call: ConsoleCall, found: PatientMatches['found']): readonly JumpHit[] =>
  (found?.type === 'case' || found?.type === 'order') && call.mayOpen(found.type)
    ? [
        {
          href: call.pathOf(found.type, { id: found.id }),
          label: found.type === 'case' ? 'Case' : `Order ${orderNumber(found.id)}`,
          detail: found.id,
        },
      ]
    : []

const pageHits = (call: ConsoleCall, query: string): readonly JumpHit[] =>
  matching(
    consolePageIds
      .filter(id => (consolePages[id] as ConsolePage).group !== undefined && call.mayOpen(id))
      .map(id => ({ href: call.pathOf(id), label: consolePages[id].title })),
    query,
  )
