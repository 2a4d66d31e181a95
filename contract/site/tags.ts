// The groups of the site API's operations, in reading order.
export const siteTags = {
  Content: 'Lists of the site’s content.',
  Ask: 'Questions in natural language, answered with pages.',
  Checkout: 'Book the discovery call with the Agentic Commerce Protocol.',
  Agent: 'Book the discovery call from agent to agent (A2A).',
  Tools: 'Tools for reading the site’s content and booking a call.',
  Booking: 'Open times for the discovery call, and booked calls.',
  Feedback: 'Feedback on whether a page helped.',
  Health: 'The health of the service.',
} as const

export type SiteTag = keyof typeof siteTags
