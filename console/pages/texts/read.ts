// Reads a clinic's texts for its pages.
import { type ClinicText, readClinicTexts } from '#auth/clinics/texts.ts'
import type { ConsoleCall, ConsoleContext } from '../../context.ts'

export const textsOf = (
  { pool }: ConsoleContext,
  { staff, session }: ConsoleCall,
): Promise<ClinicText[]> =>
  pool.use(connection => readClinicTexts(connection, staff.organization, session.person.id))

const presets = [
  ['SOAP', 'Subjective:\n\nObjective:\n\nAssessment:\n\nPlan:\n'],
  ['Short', 'Assessment and plan:\n'],
] as const

export type Template = { readonly name: string; readonly body: string }

/** The clinic's own note templates or, until it saves one, a SOAP template and a short one. */
export function templatesOf(texts: readonly ClinicText[]): readonly Template[] {
  const own = texts.filter(({ kind }) => kind === 'template')
  return own.length > 0 ? own : presets.map(([name, body]) => ({ name, body }))
}
