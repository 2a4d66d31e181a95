import { scopeLink } from '#content/reference.ts'
import { isScope } from '#contract/scopes.ts'

/** A code fence, heading, link, or name in backticks; the first match wins. */
const pieces = /^(`{3,}|~{3,})[^]*?^\1[ \t]*$|^#{1,6} .*$|!?\[[^\]]*\]\([^)]*\)|`([^`\n]*)`/gm

/** Links every scope that a text names in code to its section on the scopes page. */
export function linkScopes(markdown: string): string {
  return markdown.replace(pieces, (all: string, _fence, name?: string) =>
    name !== undefined && isScope(name) ? scopeLink(name) : all,
  )
}
