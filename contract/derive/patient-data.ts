// Finds the responses that contain patient data, because stored copies of such a response are
// erased along with the patient.

import { File, FileUpload } from '../api/files.ts'
import { Patient } from '../api/patients.ts'
import type { AnyOperation } from '../operation.ts'

const fields = new Map<AnyOperation['returns'], 'id' | 'patient'>([
  [Patient, 'id'],
  [File, 'patient'],
  [FileUpload, 'patient'],
])

/** The field with the patient's ID in an operation's response; null for a response without patient
 *  data. */
export const patientField = ({ returns }: Pick<AnyOperation, 'returns'>): 'id' | 'patient' | null =>
  fields.get(returns) ?? null
