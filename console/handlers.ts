// The handler of each row of the console's table.
import type { ConsolePageId } from '#contract/console/table.ts'
import type { ConsoleHandler } from './context.ts'
import { approve, ask, claim, decline, unclaim, write } from './pages/cases/acts.ts'
import { showCase } from './pages/cases/case.tsx'
import { showQueue } from './pages/cases/queue.tsx'
import { showOrders } from './pages/orders/list.tsx'
import { showPatient } from './pages/patients/patient.tsx'

export const handlers: Readonly<Record<ConsolePageId, ConsoleHandler>> = {
  queue: showQueue,
  case: showCase,
  claim,
  unclaim,
  approve,
  decline,
  ask,
  write,
  patient: showPatient,
  orders: showOrders,
}
