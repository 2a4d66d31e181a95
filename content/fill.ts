import config from './site.config.ts'

const names: Record<string, string> = {
  brand: config.name,
  site: config.site,
  api: config.api,
}

/**
 * Puts the company's name and addresses where content says `{brand}`, `{site}` or `{api}`. Any other
 * brace, such as `/v1/cases/{id}` or a template's `${api}`, is left as written.
 */
export function fill(text: string): string {
  return text.replace(/(?<!\$)\{(brand|site|api)\}/g, (_, key: string) => names[key] ?? '')
}
