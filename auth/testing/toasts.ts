// Reads a page's confirmation of the last change.
import type { BrowsedPage } from './browser.ts'

/** The confirmation, whose script the page may run; undefined if there's none. */
export function toastIn({ text, headers }: Pick<BrowsedPage, 'text' | 'headers'>) {
  const toast = /<div class="toast" role="status"><p>([^<]*)</.exec(text)?.[1]
  const hasScripts = headers.get('content-security-policy')?.includes("script-src 'self'") === true
  return hasScripts ? toast : undefined
}
