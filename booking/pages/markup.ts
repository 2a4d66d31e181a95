// HTML as values: whatever is put into a template is text, unless it is such a value itself.

export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[] | null

export const markup = (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(
    literals.reduce((text, literal, at) => `${text}${render(parts[at - 1] ?? null)}${literal}`),
  )

function render(part: Part): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return Bun.escapeHTML(part)
}

/** An address with its parameters; what is undefined is left out. */
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

/**
 * Text in which addresses can be followed; what stands around them stays text. On a page of `site`
 * a link to it stays in the house that serves the page, whatever it is called.
 */
export const linked = (text: string, site?: string): Markup[] =>
  text
    .split(/(https?:\/\/[^\s<]+[^\s<.,;:])/)
    .map((piece, at) =>
      at % 2 === 1 ? markup`<a href="${within(piece, site)}">${piece}</a>` : markup`${piece}`,
    )

const within = (url: string, site?: string) =>
  site !== undefined && url.startsWith(`${site}/`) ? url.slice(site.length) : url
