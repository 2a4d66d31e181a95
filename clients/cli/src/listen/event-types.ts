// The requested event types: full names, or a group such as `case.*`.

import { eventTypes } from '../contract.ts'
import { usage } from '../errors.ts'
import { nearest } from '../nearest.ts'

const groups = [...new Set(eventTypes.map(type => `${type.split('.')[0]}.*`))]

/** Every known type that matches one of the patterns. */
export function expanded(patterns: readonly string[]): string[] {
  return patterns.flatMap(pattern => {
    const text = pattern.trim()
    const found = text.endsWith('*')
      ? eventTypes.filter(type => type.startsWith(text.slice(0, -1)))
      : eventTypes.filter(type => type === text)
    if (found.length > 0) return found
    const near = nearest(text, text.endsWith('*') ? groups : eventTypes)
    const hint = near === undefined ? '' : `Did you mean ${near}? `
    throw usage(`unknown event type: ${text}`, `${hint}Run \`svc trigger --list\` for all.`)
  })
}

/**
 * Returns a filter for event types. Without patterns, the filter accepts every type, including new
 * types.
 */
export function typesOf(patterns: readonly string[] | undefined): (type: string) => boolean {
  if (patterns === undefined || patterns.some(one => one.trim() === '*')) return () => true
  const wanted = new Set(expanded(patterns))
  return type => wanted.has(type)
}
