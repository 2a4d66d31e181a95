// Guides and other pages: sentences that name the product and that no code of ours decides, such as
// advice, a plan of the reader, words to say, what others do, or an estimate.

export const unprovedPages: Readonly<Record<string, readonly string[]>> = {
  'docs/agents-and-tools.md': [
    '**The scopes of its job.**',
    '**The sandbox first.**',
    '`not_found` in a row means that a model is guessing ids.',
  ],
  'docs/authentication.md': [
    'That is right for trying things, and wrong for a job that reads events.',
    'Then the day it grants you access changes nothing for the first one.',
  ],
  'docs/cases.md': [
    'Doses and directions in the sandbox are data for testing, and no advice.',
    'For what changed since you last looked, [poll events](/docs/events) and do',
  ],
  'docs/cli.md': ['Elsewhere, for example in CI, use a packed platform.'],
  'docs/events.md': [
    '[How that can be](/blog/poll-without-losing-events) is a story of its own.',
    'Some events will tell you what step 2 already did.',
  ],
  'docs/exports.md': [
    'In the sandbox you can [let the day pass in',
    '**Export, and add what is missing.**',
    'The bundle, the thread of each case, the visits, and what you keep yourself.',
  ],
  'docs/files.md': ["[a patient's record as one file](/docs/exports), which is a part of it."],
  'docs/limits-and-versions.md': [
    'To hear of changes, [follow the events](/docs/events) rather than listing',
    'a new event type, a new error code, a new field code;',
  ],
  'docs/oauth.md': ['Those of the API are [problems with a code](/docs/errors).'],
  'docs/patients-and-consents.md': [
    'If your `privacy` document is such a notice, word the box as a receipt, and',
    'What you copied into your own systems is yours to delete: webhook bodies,',
  ],
  'docs/pharmacies.md': [
    'Alert a person when an order is `blocked` or `failed`, and when one stays',
  ],
  'docs/realtime.md': ['What your business does next belongs into a webhook receiver.'],
  'docs/requests.md': [
    '[Webhooks](/docs/webhooks): each attempt of a delivery, and the replay of an',
  ],
  'docs/sandbox.md': ['`D` stands for `post /v1/test/cases/$CASE/decision`.'],
  'docs/tool-server.md': ['and start Cursor from a shell that has run `export KEY`.'],
  'docs/video-room.md': ['To see the room with two browsers, [run live mode on your own'],
  'docs/visits.md': ['[advance the clock](/docs/sandbox#let-days-pass-in-seconds) to `opens_at`.'],
  'docs/webhooks.md': [
    'With Flask it is `request.get_data()`, with FastAPI `await request.body()`;',
    'In test mode you can [let those days pass in',
  ],
  'home.yaml': [
    'Request, sandbox only',
    'We provide software.',
    'Real people in test mode',
    '["organization:read", "patients:read", "patients:write", "cases:read",',
  ],
  'overview.json': ['Intake pages or a patient portal: you build your own screens'],
  'pages/about.md': [
    'We are not a clinic and do not practice medicine.',
    'We build the path those answers travel on.',
    'We are not a place to ask about your own health; in an emergency call 911',
  ],
  'pages/booking.md': [
    'We say what our API does for it, and what it does not do.',
    'If another approach suits you better, the [comparisons](/compare) will say',
    "We cannot answer questions about anyone's health, yours included.",
  ],
  'pages/customers.md': [
    'We have no customer to name, so a logo or a quotation here would be made up.',
    '[File with hold](/docs/cases#hold-and-release), [reserve, upload,',
    'Webhooks keep the screen fresh, and',
  ],
  'pages/developers.md': ['[the request log](/docs/requests), [the replay of'],
  'pages/docs.md': ['What an event holds, and how to miss none.'],
  'pages/security.md': [
    '**The audit, over time.**',
    'We take no action against research that keeps to this.',
  ],
  'pages/terms.md': ['These terms cover this site and the sandbox.'],
  'skills/simulate-a-consult.md': [
    '`GET /v1/medications`, and choose one.',
    'The full contract is at `{site}/openapi/v1.yaml`, and the same steps with',
  ],
  'pricing.json': [
    'They are not included, and we take no share of them.',
    'We quote in writing, after a call of {minutes} minutes',
  ],
}
