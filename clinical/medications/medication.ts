// The medication catalog: constant rows, the same for every integration, never purged or reset. New
// entries are appended, and IDs never change.

import type { Static } from 'typebox'
import type { Medication as MedicationSchema } from '#contract/api/organization.ts'
import type { PublishedItem } from '../pipeline/handler.ts'
import rows from './catalog.json'

export type Medication = Static<typeof MedicationSchema>

export const catalog: readonly Medication[] = rows

const byId = new Map(catalog.map(entry => [entry.medication_id, entry]))

export const findMedication = (id: string): Medication | undefined => byId.get(id)

/** The catalog as published, in ID order. */
export const heldMedications: readonly PublishedItem[] = catalog.map(entry => ({
  id: entry.medication_id,
  item: JSON.stringify(entry),
}))
