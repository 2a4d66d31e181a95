// The names of types in the clients. Operation names are in contract/derive/names.ts.

import { singular } from '#contract/derive/names.ts'

export const pascal = (name: string) =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A schema's position: the type that contains the schema, and the field in that type. */
export type Place = {
  readonly parent: string
  readonly field: string
  readonly isInput: boolean
  /** Whether the schema is an array's item. */
  readonly isItem?: boolean
}

/** Names for places whose path would produce a vague or a long name. */
const known: Readonly<Record<string, string>> = {
  'SlotList.data': 'Slot',
  'Usage.data': 'UsageTotal',
  'PatientCreateParams.address': 'AddressParams',
  'CaseCreateParams.requested_medications': 'RequestedMedicationParams',
  'CaseCreateParams.answers': 'AnswerParams',
  'CaseAnswerParams.answers': 'AnswerToClinicianParams',
  'TestCaseDecideParams.plan': 'PlanLineParams',
  'TestCaseShipParams.tracking': 'TrackingParams',
  // Word lists that belong to no single type.
  'Organization.mode': 'Mode',
  'Organization.scopes': 'Scope',
  'Address.state': 'State',
  'Patient.sex_at_birth': 'SexAtBirth',
  'CaseQuestion.target': 'QuestionTarget',
  'TestCaseDecideParams.decision': 'Decision',
  'Delivery.error': 'DeliveryFailure',
}

/** `Case.status` is CaseStatus, and an `ExportBundle.documents` item is ExportBundleDocument. */
export function wordNameOf({ parent, field, isItem = false }: Place): string {
  const name = pascal(isItem ? singular(field) : field)
  return known[`${parent}.${field}`] ?? `${parent.replace(/Params$/, '')}${name}`
}

/** The name of a nested object: `Case.question` is CaseQuestion. */
export function typeNameOf(place: Place): string {
  const name = wordNameOf(place)
  return place.isInput && !name.endsWith('Params') ? `${name}Params` : name
}

/** The name of an operation's input: `test.cases.decide` takes TestCaseDecideParams. */
export function paramsNameOf(path: readonly string[], verb: string): string {
  const last = path.length - 1
  const words = path.map((word, at) => pascal(at === last ? singular(word) : word))
  return `${words.join('')}${pascal(verb)}Params`
}

/** A problem's class: `consent_required` is ConsentRequiredError. */
export const errorNameOf = (code: string) => `${pascal(code).replace(/Error$/, '')}Error`
