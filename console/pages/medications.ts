// The names of medications, from the catalog, and amounts of them in words.
import { catalog, findMedication } from '#clinical/medications/medication.ts'

export const medicationName = (id: string): string => {
  const found = findMedication(id)
  return found === undefined ? id : `${found.name} ${found.strength} ${found.form}`
}

export const medicationNames = (ids: readonly string[]): string =>
  ids.map(medicationName).join(', ')

export const supplyText = (days: number): string => `${days} day${days === 1 ? '’s' : 's’'} supply`

export const medicationOptions = catalog.map(
  ({ medication_id }) => [medication_id, medicationName(medication_id)] as const,
)
