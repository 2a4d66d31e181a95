// Which answers hold data of a patient, so that a stored one is erased with the patient.

import { File, FileUpload } from '../api/files.ts'
import { Patient } from '../api/patients.ts'
import type { AnyOperation } from '../operation.ts'

const fields = new Map<AnyOperation['returns'], 'id' | 'patient'>([
  [Patient, 'id'],
  [File, 'patient'],
  [FileUpload, 'patient'],
])

/** The field of an operation's answer that holds the id of the patient whose data it is; null for
 *  an answer without data of a patient. */
export const patientField = ({ returns }: Pick<AnyOperation, 'returns'>): 'id' | 'patient' | null =>
  fields.get(returns) ?? null
