import { eventPath, operationPath, problemPath, scopeLink } from '#content/reference.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { sdkName, snake } from '#contract/derive/names.ts'
import {
  everyRefusal,
  isWrite,
  type Operation,
  refusalsOf,
  writeRefusal,
} from '#contract/operation.ts'
import { type ProblemCodeOf, problems } from '#contract/problems.ts'
import { inlineLinks } from '../render/inline.ts'
import type { GeneratedPage } from './contract.ts'
import { requestSections, responseSection } from './operation-fields.ts'
import { inColumns, onPage, type Part } from './parts.ts'
import { operationName, routeHtml } from './link-list.ts'
import { fence, sampleSection } from './samples.ts'
import { tryForm } from './try-form.ts'

const linkTo = (code: ProblemCodeOf<'v1'>) => `[\`${code}\`](${problemPath(code)})`

/** Extends descriptions that are too short for a list of pages. */
const aboutOf = ({ description = '' }: { readonly description?: string }): string =>
  description.length >= 60
    ? description
    : `${description} Parameters, response fields, examples and errors.`.trim()

/** The part of a name with the action and its object. */
function labelOf(name: string): string {
  const short = name.replace(/(,|:|\.| because| and ).*$/, '')
  return short.includes(' ') ? short : name
}

export const operationPages = (): GeneratedPage[] => operationIds.map(operationPage)

function operationPage(id: OperationId): GeneratedPage {
  const row = table[id]
  const name = operationName(id)
  return {
    path: operationPath(id),
    title: name,
    label: labelOf(name),
    group: row.tag,
    route: { method: row.method, path: row.path },
    description: `${row.method} ${row.path}: ${aboutOf(row)}`,
    names: [id, snake(id), sdkName(id, row.path), `${row.method} ${row.path}`],
    body: inColumns({
      head: [
        {
          markdown: fence('http', `${row.method} ${row.path}`),
          html: `<p class="endpoint">${routeHtml(row)}</p>`,
        },
        row.description ?? '',
        facts(id, row),
      ],
      samples: [onPage(tryForm(id, row)), ...sampleSection(id, row)],
      rest: [...requestSections(row), ...responseSection(row), '## Errors', ...refusals(row)],
    }),
  }
}

function facts(id: string, row: Operation): Part {
  const events = (row.emits ?? []).map(type => `[\`${type}\`](${eventPath(type)})`)
  const all = [
    ['Scope', scopeLink(row.scope)],
    ['Modes', row.mode === 'test' ? 'test only' : 'test and live'],
    ['Operation', `\`${id}\``],
    ...(events.length > 0 ? [['Events', events.join(', ')]] : []),
  ]
  const rows = all.map(([name, text = '']) => `<dt>${name}</dt><dd>${inlineLinks(text)}</dd>`)
  return {
    markdown: all.map(([name, text]) => `- ${name}: ${text}`).join('\n'),
    html: `<dl class="facts">${rows.join('')}</dl>`,
  }
}

/** The operation's own errors, followed by the errors common to all requests, which are
 *  collapsed. */
function refusals(row: Operation): Part[] {
  const common = new Set<ProblemCodeOf<'v1'>>([...everyRefusal, ...writeRefusal])
  const own = refusalsOf(row).filter(code => !common.has(code))
  const line = (code: ProblemCodeOf<'v1'>) =>
    `\`${problems[code].status}\` ${linkTo(code)}: ${problems[code].title}`
  const all = [...everyRefusal, ...(isWrite(row) ? writeRefusal : [])]
  const summary = `All ${isWrite(row) ? 'writes' : 'reads'} (${all.length})`
  const links = all.map(linkTo).join(', ')
  return [
    ...(own.length === 0 ? [] : [own.map(code => `- ${line(code)}.`).join('\n')]),
    {
      markdown: `${summary}: ${links}.`,
      html: `<details class="field-more"><summary>${summary}</summary><p>${inlineLinks(links)}</p></details>`,
    },
  ]
}
