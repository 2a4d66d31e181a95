// The OpenAPI document as YAML, converted from its JSON when a site is built and when a gateway
// first needs it.

const maker = 'x-generated-by'

/** Quotes strings that look like dates, because YAML 1.1 readers would parse them as dates.
 *  `Bun.YAML` quotes all other ambiguous strings, writes each string on one line, and takes 12 ms;
 *  the `yaml` package takes 250. */
export function openapiYaml(json: string): string {
  const { [maker]: comment, ...document } = JSON.parse(json) as Record<string, unknown>
  const yaml = Bun.YAML.stringify(document, null, 2)
  const first = comment === undefined ? '' : `# ${String(comment)}\n`
  return `${first}${yaml.replace(date, '$1"$2"')}\n`
}

const date = /^((?: *- )* *(?:[^\n]*?: )?)(\d{4}-\d\d-\d\d(?:T\S*)?)$/gm
