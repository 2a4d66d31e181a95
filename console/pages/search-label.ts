import type { ConsoleCall } from '../context.ts'

/** What the console search finds for a role, as its input's label. */
export const searchLabel = (call: Pick<ConsoleCall, 'mayOpen'>): string =>
  call.mayOpen('patients') ? 'Find a patient or a page' : 'Find a page'
