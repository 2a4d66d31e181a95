// The groups of the clinical API's operations, in reading order.

export const tags = {
  Organization: 'The clinic that a credential acts for, and the medications it prescribes.',
  Patients: 'The people that consults are for, and their consents.',
  Exports: 'A part of the record of one patient, as one download.',
  Cases: 'Consults: filed, answered, and decided by a licensed clinician.',
  Messages: 'The thread between the patient, you and the clinician on a case.',
  Prescriptions: 'What an approval prescribed.',
  Orders: "The pharmacy's work on a prescription, up to the parcel's delivery.",
  Visits: 'Live video consults, from a free slot to the join link.',
  Files: 'Documents of a patient: reserved here, uploaded to storage, then confirmed.',
  Billing: 'Usage and invoices. Both are empty in test mode.',
  Events: 'Every status change, in the order in which it became visible.',
  Realtime: 'Tokens to subscribe to the same events as they happen.',
  Webhooks: 'Endpoints that receive events, and the record of each delivery.',
  Sandbox: 'Controls that simulate the clinician, the pharmacy and the clock. Test mode only.',
} as const

export type Tag = keyof typeof tags

/** The groups of the preview's operations, in reading order. */
export const previewTags = {
  Requests: 'The calls of your integration: what each was answered, and what it caused.',
  Replays: 'Send the events of a span of time to an endpoint again.',
  'Sandbox clock': 'Advance the time of your sandbox, and see what happens in days, in seconds.',
} as const

export type PreviewTag = keyof typeof previewTags
