// The groups of the clinical API's operations, in reading order.

export const tags = {
  Organization: 'The clinic your credential acts for, and its medications.',
  Patients: 'People who receive care, and their consents.',
  Exports: "Part of a patient's record, as one download.",
  Cases: 'Consults that you file and a licensed clinician decides.',
  Messages: "A case's thread between the patient, you and the clinician.",
  Prescriptions: 'What the clinician prescribed when approving a case.',
  Orders: "The pharmacy's work on a prescription, through delivery.",
  Visits: 'Live video consults, from finding a slot to the join link.',
  Files: "A patient's documents: reserve, upload to storage, confirm.",
  Billing: 'Usage and invoices. Both are empty in test mode.',
  Events: 'Every change, in commit order.',
  Realtime: 'Tokens for subscribing to the same events as they happen.',
  Webhooks: 'Endpoints that receive events, and their deliveries.',
  Sandbox: 'Simulate the clinician, the pharmacy and the clock. Test mode only.',
} as const

export type Tag = keyof typeof tags

/** The groups of the preview's operations, in reading order. */
export const previewTags = {
  Requests: "Your integration's requests: the response to each, and what it caused.",
  Replays: 'Resend the events from a period of time to an endpoint.',
  Destinations:
    'Queues, topics, buses and buckets that receive events, alongside webhook endpoints.',
  'Table exports': 'All of your rows in one clinic, as files for a warehouse.',
  Metrics: 'Counts of your cases and orders, ready to chart.',
  'Sandbox clock': "Advance your sandbox's clock to see days of activity in seconds.",
  'Consent versions': 'Publish a new consent document in your sandbox, to test re-consent.',
} as const

export type PreviewTag = keyof typeof previewTags
