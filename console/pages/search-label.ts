import type { ConsoleCall } from '../context.ts'

/** What the search of the console finds for a role, as the label of its input. */
export const searchLabel = (call: Pick<ConsoleCall, 'mayOpen'>): string =>
  call.mayOpen('patients') ? 'Find a patient or a page' : 'Find a page'
