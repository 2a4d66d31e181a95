// Reads a clinic's texts for its pages.
import { type ClinicText, readClinicTexts } from '#auth/clinics/texts.ts'
import type { ConsoleCall, ConsoleContext } from '../../context.ts'

export const textsOf = (
  { pool }: ConsoleContext,
  { staff, session }: ConsoleCall,
): Promise<ClinicText[]> =>
  pool.use(connection => readClinicTexts(connection, staff.organization, session.person.id))

/** Offered to every clinic. A clinic's template with the same name replaces one of them. */
const builtIn: ReadonlyMap<string, string> = new Map([
  ['SOAP', 'Subjective:\n\nObjective:\n\nAssessment:\n\nPlan:\n'],
  ['Short', 'Assessment and plan:\n'],
])

export const isBuiltIn = (name: string): boolean => builtIn.has(name)

export type Template = { readonly name: string; readonly body: string }

/** The built-in note templates, and the clinic's own. */
export function templatesOf(texts: readonly ClinicText[]): readonly Template[] {
  const own = texts
    .filter(({ kind }) => kind === 'template')
    .map(one => [one.name, one.body] as const)
  return [...new Map([...builtIn, ...own])].map(([name, body]) => ({ name, body }))
}
