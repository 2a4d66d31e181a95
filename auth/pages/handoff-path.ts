// Where a handoff begins, and what the forms before it have to allow.
import type { PageContext } from './context.ts'

export const handoffPath = '/handoff'

/** The origins that a form leads to when what comes after it is a handoff. */
export const handoffTargets = ({ handoffUrls }: PageContext, target: string): string[] =>
  target.startsWith(`${handoffPath}?`) ? Object.values(handoffUrls) : []
