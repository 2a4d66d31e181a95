// Operation → handler. The compiler asks for one of the right kind for every row of the table.

import type { OperationId, operations } from '#contract/clinical.ts'
import type { Read, Write } from './handler.ts'
import { getOrganization } from './organization/retrieve.ts'
import { listMedications } from './medications/list.ts'
import { getMedication } from './medications/retrieve.ts'
import { createPatient } from './patients/create.ts'
import { listPatients } from './patients/list.ts'
import { getPatient } from './patients/retrieve.ts'
import { updatePatient } from './patients/update.ts'

type Handlers = {
  [K in OperationId]: (typeof operations)[K]['method'] extends 'GET' ? Read<K> : Write<K>
}

export const handlers = {
  getOrganization,
  listMedications,
  getMedication,
  createPatient,
  listPatients,
  getPatient,
  updatePatient,
} as unknown as Handlers
