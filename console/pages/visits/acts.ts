// Handles the visit forms. Each form sends the version of the visit that the form's page showed.
import type { ConsoleHandler } from '../../context.ts'
import { visitsPage } from './list.tsx'
import { roomPage } from './room.tsx'

type Move = 'startClinicVisit' | 'completeClinicVisit' | 'missClinicVisit' | 'cancelClinicVisit'

/** `said` selects the page's message once the visit is changed. */
const move =
  (operation: Move, said: string): ConsoleHandler =>
  async (context, call) => {
    const done = await call.perform(operation, {
      body: { version: call.form.get('version') ?? '' },
    })
    const isInRoom = call.form.get('from') === 'room'
    if (done.problem) return (isInRoom ? roomPage : visitsPage)(context, call, done.problem)
    if (isInRoom) return { redirect: call.pathOf('joinVisit', { id: call.names['id'] ?? '' }) }
    const [day, mine] = ['day', 'mine'].map(name => call.form.get(name) ?? undefined)
    return { redirect: call.pathOf('visits', {}, { day, mine, done: said }) }
  }

export const startVisit = move('startClinicVisit', 'started')
export const completeVisit = move('completeClinicVisit', 'completed')
export const missVisit = move('missClinicVisit', 'missed')
export const cancelVisit = move('cancelClinicVisit', 'canceled')

export const joinVisit: ConsoleHandler = (context, call) => roomPage(context, call, null)
