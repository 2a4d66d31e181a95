// How the pages say what a machine calls by an identifier.
import { allScopes, scopes } from '#contract/scopes.ts'
import { type Markup, markup } from '#http/html/markup.ts'

/** The scopes in words, in the order in which they are published, each with its name. */
export function scopeList(asked: readonly string[], missing: readonly string[] = []): Markup {
  const rows = allScopes
    .filter(scope => asked.includes(scope))
    .map(scope => {
      const [first = '', ...rest] = scopes[scope]
      const isMissing = missing.includes(scope)
      return markup`<li${isMissing && markup` class="missing"`}><span>${first.toUpperCase()}${rest.join('')}${isMissing && markup` <strong>(not yours to give)</strong>`}</span> <code>${scope}</code></li>`
    })
  return markup`<ul class="scopes">${rows}</ul>`
}

const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Without a script, a page does not know the reader's time zone. */
export const timeOf = (moment: string): Markup =>
  markup`<time datetime="${moment}">${format.format(new Date(moment))} UTC</time>`

/** For times of minutes ago. */
export function agoText(moment: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000)
  if (minutes < 1) return 'Less than a minute ago'
  return minutes === 1 ? 'A minute ago' : `${minutes} minutes ago`
}
