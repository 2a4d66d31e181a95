// The groups of the site API's operations, in reading order.
export const siteTags = {
  Content: 'The content of the site, as lists.',
  Ask: 'Questions in natural language, answered with pages.',
  Checkout: 'Booking the discovery call with the Agentic Commerce Protocol.',
  Agent: 'Booking the discovery call from agent to agent (A2A).',
  Tools: 'The content of the site and the booking of a call, as tools.',
  Booking: 'Open times of the discovery call, and booked calls.',
  Feedback: 'Whether a page helped its reader.',
  Health: 'The health of the service.',
} as const

export type SiteTag = keyof typeof siteTags
