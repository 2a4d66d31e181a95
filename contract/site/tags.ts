// The groups of the site API's operations, in reading order.
export const siteTags = {
  Content: 'What the site says, as lists.',
  Ask: 'Questions in words, answered with pages.',
  Checkout: 'Booking the discovery call by the Agentic Commerce Protocol.',
  Agent: 'Booking the discovery call from agent to agent.',
  Tools: 'What the site says and offers, as tools.',
  Booking: 'Times of the discovery call, and a call that is booked.',
  Health: 'Whether the house is well.',
} as const

export type SiteTag = keyof typeof siteTags
