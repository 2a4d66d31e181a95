import type { ConsoleCall } from '../context.ts'

/** The label of the console's search input, which depends on the role. */
export const searchLabel = (call: Pick<ConsoleCall, 'mayOpen'>): string =>
  call.mayOpen('patients') ? 'Find a patient or a page' : 'Find a page'
