import { eventPath, operationPath, scopeLink } from '#content/reference.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { eventTypes } from '#contract/events.ts'
import { everyRefusal, refusalsOf, writeRefusal } from '#contract/operation.ts'
import { type ProblemCodeOf, problemCodesOf, problems } from '#contract/problems.ts'
import { scopes } from '#contract/scopes.ts'
import { markdownTable } from '../figures/figures.ts'
import { machineFiles } from '../render/machine-files.ts'
import { limitTables } from './limits.ts'

// Contract facts for pages, generated so no page can be outdated.

type ProblemCode = ProblemCodeOf<'v1'>
const rows = operationIds.map(id => table[id])
const linkTo = (id: OperationId) =>
  `[\`${table[id].method} ${table[id].path}\`](${operationPath(id)})`
const includes = (codes: readonly ProblemCode[], code: ProblemCode) => codes.includes(code)

function operations(): string {
  const test = rows.filter(row => row.mode === 'test').length
  const groups = Map.groupBy(operationIds, id => table[id].tag)
  return [
    `${rows.length} operations; ${test} of them simulate the clinic and the pharmacy in test mode.`,
    ...[...groups].map(([tag, ids]) => {
      const cells = ids.map(id => [linkTo(id), table[id].summary])
      return `### ${tag}\n\n${markdownTable(['operation', 'what it does'], cells)}`
    }),
  ].join('\n\n')
}

function answeredBy(code: ProblemCode): string {
  if (includes(everyRefusal, code)) return 'every operation'
  if (includes(writeRefusal, code)) return 'every write'
  if (code === 'method_not_allowed') return 'every path, for methods it doesn’t support'
  const found = operationIds.filter(id => refusalsOf(table[id]).includes(code)).map(linkTo)
  if (code === 'not_found') return 'unknown paths, and IDs that aren’t yours'
  return found.length > 0 ? found.join(', ') : 'no operation yet'
}

function problemList(): string {
  return problemCodesOf('v1')
    .map(code => {
      const { status, title, hint } = problems[code]
      return `### \`${code}\`\n\n**${status}** ${title}. ${hint}\n\nReturned by ${answeredBy(code)}.`
    })
    .join('\n\n')
}

function events(): string {
  const emitted = new Set(rows.flatMap(row => row.emits ?? []))
  const cells = eventTypes.map(type => [
    `[\`${type}\`](${eventPath(type)})`,
    emitted.has(type) ? 'yes' : 'not yet',
  ])
  return markdownTable(['event', 'emitted today'], cells)
}

export const contractBlocks: Readonly<Record<string, () => string>> = {
  operations,
  events,
  problems: problemList,
  limits: limitTables,
  scopes: () =>
    markdownTable(
      ['scope', 'allows you to'],
      Object.entries(scopes).map(([name, text]) => [scopeLink(name), text]),
    ),
  'machine-files': () =>
    machineFiles.map(({ path, what }) => `- [${path}](${path}): ${what}`).join('\n'),
}
