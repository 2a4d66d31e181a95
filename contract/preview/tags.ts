// The groups of the preview's operations, in reading order.

export const previewTags = {
  Requests: 'The calls of your integration: what each was answered, and what it caused.',
  Replays: 'Send the events of a span of time to an endpoint again.',
  'Sandbox clock': 'Advance the time of your sandbox, and see what happens in days, in seconds.',
} as const

export type PreviewTag = keyof typeof previewTags
