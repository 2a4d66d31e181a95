import { escape } from './escape.ts'

/**
 * A sentence of a YAML page as HTML: text in backticks is code, and nothing else is markup.
 */
export function inline(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** The same with links of Markdown, and with the apostrophes that Markdown writes. */
export function inlineLinks(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map(piece => (piece.startsWith('`') ? piece : piece.replaceAll("'", '’')))
    .map(inline)
    .join('')
    .replace(/\[([^\]]+)\]\((\/[^)]*)\)/g, '<a href="$2">$1</a>')
}

/** A name, such as `invoice_id`, `case.queued.v1` or `FieldError`, that may break between words. */
export const breakable = (name: string): string =>
  escape(name).replace(/[_.](?=\w)|[a-z](?=[A-Z])/g, '$&<wbr>')
