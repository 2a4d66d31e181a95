import { kebab } from '#content/reference.ts'
import { nounOf } from '#contract/derive/names.ts'
import { answerExample, requestExamples } from '#contract/examples.ts'
import { ids } from '#contract/examples/resources.ts'
import { type Operation, pathNames } from '#contract/operation.ts'
import { curlForm, pythonForm, type FormOperation, typescriptForm } from './forms.ts'
import type { Part } from './parts.ts'

export const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``
export const json = (value: unknown) => fence('json', JSON.stringify(value, null, 2))

const idExamples = new Map<string, string>(Object.entries(ids))

/** The example for an ID in a path. */
const exampleId = (path: string, name: string): string => idExamples.get(nounOf(path, name)) ?? name

/** The operation's first example, with example IDs in its path. */
function sentOf(id: string, row: Operation): FormOperation {
  const path = pathNames(row.path).reduce(
    (text, name) => text.replace(`{${name}}`, exampleId(row.path, name)),
    row.path as string,
  )
  const body = Object.values(requestExamples(id))[0]
  return { name: kebab(id), operation: row, path: path + requiredQuery(row), body }
}

/** The required parameters with their examples. */
function requiredQuery({ query }: Operation): string {
  const names: readonly string[] = query?.required ?? []
  const pairs = names.map(name => {
    const { example }: { example?: unknown } = query?.properties[name] ?? {}
    if (typeof example !== 'string') throw new Error(`the parameter ${name} needs an example`)
    return `${name}=${encodeURIComponent(example)}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const reasons: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

/** The request in each language and its response, next to the fields if there's room. */
export function sampleSection(id: string, row: Operation): Part[] {
  const sent = sentOf(id, row)
  const example = answerExample(id, row.returns)
  const status = `\`${row.status} ${reasons[row.status] ?? ''}\``
  return [
    '## Request',
    `### curl\n\n${fence('sh', curlForm(sent))}`,
    `### TypeScript\n\n${fence('ts', typescriptForm(sent))}`,
    `### Python\n\n${fence('python', pythonForm(sent))}`,
    '## Response',
    {
      markdown: status,
      html: `<p class="sample-status">${status.replaceAll(/`(.*)`/g, '<code>$1</code>')}</p>`,
    },
    ...(example === undefined ? [] : [json(example)]),
  ]
}
