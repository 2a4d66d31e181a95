// Questions that programs ask about the guides and the contract, each with the resource that
// answers it. The questions measure the search.
const guide = (slug: string) => `svc://docs/${slug}`
const operation = (path: string, method: string) =>
  `svc://openapi/v1.yaml#/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`
const component = (kind: 'schemas' | 'examples', name: string) =>
  `svc://openapi/v1.yaml#/components/${kind}/${name}`

export const docsQuestions: readonly (readonly [question: string, answer: string])[] = [
  ['how do I make my first request', guide('quickstart')],
  ['what is the difference between an integration and an organization', guide('concepts')],
  ['how do I rotate an API key', guide('authentication')],
  ['get an access token with client credentials', guide('oauth')],
  ['authorization code with PKCE for an agent', guide('oauth')],
  ['which statuses does a case go through', guide('the-loop')],
  ['record telehealth and privacy consent', guide('patients-and-consents')],
  ['hold a case until files are attached', guide('cases')],
  ['clinician asked a question, how do I answer', guide('messages-and-questions')],
  ['tracking number of a pharmacy order', guide('prescriptions-and-orders')],
  ['find a free slot for a video visit', guide('visits')],
  ['waiting room camera and microphone of the patient', guide('video-room')],
  ['outside pharmacy does not answer, is it sent again', guide('pharmacies')],
  ['upload a photo of a patient', guide('files')],
  ['the record of one patient as JSON', guide('exports')],
  ['poll events without missing one', guide('events')],
  ['verify the signature of a webhook', guide('webhooks')],
  ['how often is a delivery retried', guide('webhooks')],
  ['subscribe to events over websocket', guide('realtime')],
  ['is it safe to retry a request that timed out', guide('idempotency-and-retries')],
  ['how many requests per minute may I send', guide('limits-and-versions')],
  ['make a case be approved in the sandbox', guide('sandbox')],
  ['advance the clock of the sandbox', guide('sandbox')],
  ['what am I billed for', guide('billing')],
  ['find out what a request id did', guide('requests')],
  ['list of all error codes', guide('errors')],
  ['createCase', operation('/v1/cases', 'post')],
  ['POST /v1/patients', operation('/v1/patients', 'post')],
  ['withdrawCase', operation('/v1/cases/{id}/withdraw', 'post')],
  ['getJoinLink', operation('/v1/visits/{id}/join', 'get')],
  ['WebhookEndpoint', component('schemas', 'WebhookEndpoint')],
  ['PlanLine', component('schemas', 'PlanLine')],
  ['consent_required', component('examples', 'consent_required')],
  ['idempotency_key_reused', component('examples', 'idempotency_key_reused')],
  ['baa_required', component('examples', 'baa_required')],
  ['case.approved.v1', component('schemas', 'Event')],
  ['order.shipped.v1', component('schemas', 'Event')],
]
