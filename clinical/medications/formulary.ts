// A clinic's formulary: the catalog entries it dispenses. A sandbox dispenses all of them.

import type { PublishedItem } from '../pipeline/handler.ts'
import { heldMedications } from './medication.ts'

/** Null means every catalog entry. */
export type Formulary = readonly string[] | null

export const isDispensed = (formulary: Formulary, medication: string): boolean =>
  formulary === null || formulary.includes(medication)

/** The catalog as an integration sees it, in ID order. */
export const listed = (formulary: Formulary): readonly PublishedItem[] =>
  formulary === null ? heldMedications : heldMedications.filter(({ id }) => formulary.includes(id))
