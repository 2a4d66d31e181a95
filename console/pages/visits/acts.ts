// What the forms of the visits do. Each carries the version that was read.
import type { ConsoleHandler } from '../../context.ts'
import { missing } from '../../refused.tsx'
import { visitsPage } from './list.tsx'

type Move = 'startClinicVisit' | 'completeClinicVisit' | 'missClinicVisit' | 'cancelClinicVisit'

/** `said`: what the page says when it was done. */
const move =
  (operation: Move, said: string): ConsoleHandler =>
  async (context, call) => {
    const done = await call.perform(operation, {
      body: { version: call.form.get('version') ?? '' },
    })
    if (done.problem) return visitsPage(context, call, done.problem)
    const day = call.form.get('day') ?? undefined
    return { redirect: call.pathOf('visits', {}, { day, done: said }) }
  }

export const startVisit = move('startClinicVisit', 'started')
export const completeVisit = move('completeClinicVisit', 'completed')
export const missVisit = move('missClinicVisit', 'missed')
export const cancelVisit = move('cancelClinicVisit', 'canceled')

/** The room is at the origin of the API, where its socket is. */
export const joinVisit: ConsoleHandler = async (context, call) => {
  const done = await call.perform('joinClinicVisit')
  if (done.problem?.code === 'not_found') {
    return missing('No such visit of yours', call.pathOf('visits'), 'Visits')
  }
  return done.problem ? visitsPage(context, call, done.problem) : { redirect: done.value.url }
}
