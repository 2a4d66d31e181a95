// Comparisons: sentences that name the product and that no code of ours decides, such as
// advice, a plan of the reader, words to say, what others do, or an estimate.

export const unprovedComparisons: Readonly<Record<string, readonly string[]>> = {
  'comparisons/api-vs-hosted-intake.md': [
    'About two engineers to begin, and part of one for as long as it runs; our',
    'An export, if the contract names one',
    'We sell the parts and have no pages to rent, so read this with that in mind.',
    'Our rule of thumb is two engineers to begin.',
  ],
  'comparisons/async-vs-video.md': [
    'This is our reading on November 23, 2026, of the texts that [When a consult',
    'We print none, because they differ by clinic.',
  ],
  'comparisons/build-vs-integrate.md': [
    "Months; our estimate, for a chart, a clinician's screen and a way to a",
    'One or two engineers, one person for operations; our estimate',
    'Six to ten, besides clinicians; our estimate, by the table below',
    'All of them, such as unique users, emergency access and audit controls, for',
    'The months are of one engineer each, and our estimates for a first usable',
    '| chart, with an audit of each look into it | 12 to 18 | a record system, per',
    'We print wages, because they are public, and no price of ours or of a clinic.',
    '| keeping it alive | one fifth to one third of the first sum, each year; our',
    '| 2 | walk a case through [the sandbox](/docs/quickstart): ask, answer,',
  ],
  'comparisons/mcp-vs-rest-for-agents.md': ['A tool server is not safer because it is one.'],
  'comparisons/mso-vs-network.md': [
    'Months for corporations, an owner, insurance and licenses, state by state;',
    'Weeks, for a contract and a review of the program; our estimate',
    'We keep out of it by design.',
  ],
  'comparisons/one-clinic-vs-network.md': [
    'We print no prices of others.',
    'Yes, and it is our usual advice.',
  ],
  'comparisons/rest-vs-fhir.md': [
    'For the loop, we chose the second.',
    'Written down in R4 a consult becomes a ServiceRequest with a Task, two',
    'The definition of a network is functional: have counsel read it for what your',
  ],
  'comparisons/webhooks-vs-polling.md': [
    'Webhooks first, polling always as the backstop.',
    'A webhook is how you hear at once; a poll from the last event you know is how',
    'One request an event; you need a queue behind the endpoint',
    'A webhook tells you what arrived.',
    '[How that is made complete](/blog/poll-without-losing-events) is a longer',
    'The path reads in order, stores its place in the same transaction as the',
  ],
}
