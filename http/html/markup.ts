// HTML as values: a template escapes everything in it, except other HTML values.

export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[] | null | undefined | false

export const markup = (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(literals.reduce((text, literal, at) => `${text}${render(parts[at - 1])}${literal}`))

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return Bun.escapeHTML(part)
}

/** A URL with the parameters that are defined. */
export function address(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** Text with its URLs as links; the rest is escaped. Links to pages of `site` become paths, so they
 *  work under any host name. `labelOf` returns a link's text. */
export const linked = (text: string, site?: string, labelOf = (url: string) => url): Markup[] =>
  text
    .split(/(https?:\/\/[^\s<]+[^\s<.,;:])/)
    .map((piece, at) =>
      at % 2 === 1
        ? markup`<a href="${within(piece, site)}">${labelOf(piece)}</a>`
        : markup`${piece}`,
    )

const within = (url: string, site?: string) =>
  site !== undefined && url.startsWith(`${site}/`) ? url.slice(site.length) : url
