import { scopeLink } from '#content/reference.ts'
import { isScope } from '#contract/scopes.ts'

/** A fence, a heading, a link, or a name in backticks: what comes first is taken whole. */
const pieces = /^(`{3,}|~{3,})[^]*?^\1[ \t]*$|^#{1,6} .*$|!?\[[^\]]*\]\([^)]*\)|`([^`\n]*)`/gm

/**
 * Wherever a text names a scope in code, a link leads to what it opens; the text need not say so.
 */
export function linkScopes(markdown: string): string {
  return markdown.replace(pieces, (all: string, _fence, name?: string) =>
    name !== undefined && isScope(name) ? scopeLink(name) : all,
  )
}
