import { escape } from './escape.ts'

/** A sentence from a YAML page as HTML: text in backticks is code, and nothing else is markup. */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Renders a sentence as `inline` does, plus Markdown links and curly apostrophes. */
export function inlineLinks(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map(piece => (piece.startsWith('`') ? piece : piece.replaceAll("'", '’')))
    .map(inline)
    .join('')
    .replace(/\[([^\]]+)\]\(((?:\/|https:)[^)]*)\)/g, '<a href="$2">$1</a>')
}

/**
 * A title with names in it, such as `invoice_id`, `case.queued.v1` or `FieldError`. A name stays
 * whole, and breaks between its words only if it's wider than the line.
 */
export const breakable = (title: string): string =>
  escape(title).replace(/\S*(?:[_.](?=\w)|[a-z](?=[A-Z]))\S*/g, name => {
    const words = name.replace(/[_.](?=\w)|[a-z](?=[A-Z])/g, '$&<wbr>')
    return `<span class="name">${words}</span>`
  })
