// Every mapping by name, in the order of a patient's full record.

import { answers, appointment, consult, filing, message, request, visit } from './cases.ts'
import { order, prescribing, prescription } from './medications.ts'
import { consent, document, patient } from './people.ts'
import type { Mapping } from './mapping.ts'

export const mappings = {
  patient,
  consent,
  answers,
  request,
  consult,
  visit,
  appointment,
  prescription,
  order,
  document,
  message,
  filing,
  prescribing,
} satisfies Readonly<Record<string, Mapping>>

export type MappingName = keyof typeof mappings
export const mappingNames = Object.keys(mappings) as MappingName[]
