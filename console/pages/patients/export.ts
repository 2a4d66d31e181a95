// Exports the record of a patient as a file.
import { Problem } from '#contract/problems.ts'
import type { ConsoleHandler } from '../../context.ts'
import { patientPage } from './patient.tsx'

export const exportRecord: ConsoleHandler = async (_, call) => {
  const opened = await call.open('exportRecord')
  if (opened instanceof Problem) return patientPage(call, opened)
  const name = `record-${call.names['id'] ?? ''}.zip`
  return { file: { name, type: 'application/zip', content: opened } }
}
