/** A part of a page: Markdown, or Markdown with its own HTML for the page. */
export type Part = string | { readonly markdown: string; readonly html: string }

/** Appears only on the page, not in Markdown. */
export const onPage = (html: string): Part => ({ markdown: '', html })

/** The Markdown version of a page. */
export const markdownOf = (parts: readonly Part[]): string =>
  parts
    .map(part => (typeof part === 'string' ? part : part.markdown))
    .filter(Boolean)
    .join('\n\n')

export const mapMarkdown = (part: Part, change: (text: string) => string): Part =>
  typeof part === 'string' ? change(part) : { ...part, markdown: change(part.markdown) }

/** If there's room, samples are next to the fields; otherwise, between them and the head. */
export const inColumns = ({ head, samples, rest }: Record<'head' | 'samples' | 'rest', Part[]>) => [
  onPage('<div class="columns"><div class="column-head prose">'),
  ...head,
  onPage('</div><div class="column-samples prose">'),
  ...samples,
  onPage('</div><div class="column-rest prose">'),
  ...rest,
  onPage('</div></div>'),
]
