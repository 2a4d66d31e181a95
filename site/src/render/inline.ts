import { escape } from './escape.ts'

/**
 * A sentence of a YAML page as HTML: text in backticks is code, and nothing else is markup.
 */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
