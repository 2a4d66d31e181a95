// The facts about a discovery call that pages, emails and agents show.

/** How a call was requested. */
export type Protocol = 'acp' | 'a2a' | 'mcp' | 'web'

/** Timestamps as ISO 8601 in UTC, `2026-11-23T14:00:00.000Z`. */
export type Slot = { readonly start: string; readonly end: string }
