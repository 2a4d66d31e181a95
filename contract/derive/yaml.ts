// The OpenAPI document as YAML, converted from its JSON when a site is built and when a gateway
// first needs it.

const maker = 'x-generated-by'

/** Quotes strings that look like dates, because a YAML 1.1 reader would parse them as such.
 *  `Bun.YAML` quotes everything else that such a reader takes for another type, writes every other
 *  string on one line, and takes 12 ms where the package `yaml` takes 250. */
export function openapiYaml(json: string): string {
  const { [maker]: comment, ...document } = JSON.parse(json) as Record<string, unknown>
  const yaml = Bun.YAML.stringify(document, null, 2)
  const first = comment === undefined ? '' : `# ${String(comment)}\n`
  return `${first}${yaml.replace(date, '$1"$2"')}\n`
}

const date = /^((?: *- )* *(?:[^\n]*?: )?)(\d{4}-\d\d-\d\d(?:T\S*)?)$/gm
