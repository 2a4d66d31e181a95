import { problemPath, referenceHome } from '#content/reference.ts'
import config from '#content/site.config.ts'
import { operationIds, table } from '#contract/api.ts'
import { problemBody } from '#contract/derive/clinical.ts'
import { waits } from '#contract/derive/refusals.ts'
import { refusals } from '#contract/examples/problems.ts'
import { everyRefusal, refusalsOf, writeRefusal } from '#contract/operation.ts'
import {
  hintOf,
  isOn,
  type ProblemCodeOf,
  problemCodesOf,
  type ProblemRow,
  problems,
} from '#contract/problems.ts'
import { siteTable } from '#contract/site/table.ts'
import { siteRefusalsOf } from '#contract/site/operation.ts'
import type { GeneratedPage } from './contract.ts'
import { operationList } from './link-list.ts'
import { inColumns, type Part } from './parts.ts'
import { json } from './samples.ts'

type ProblemCode = ProblemCodeOf<'v1'>
type SiteProblemCode = ProblemCodeOf<'site'>

/** One page for each problem code of either API. A code has the same meaning in both APIs. */
export const problemPages = (): GeneratedPage[] => [
  ...problemCodesOf('v1').map(clinicalPage),
  ...problemCodesOf('site')
    .filter(code => !isOn(code, 'v1'))
    .map(sitePage),
]

function common(code: string, { status, title, hint, writeHint }: ProblemRow) {
  return {
    path: problemPath(code),
    title: `${title} (${code})`,
    label: code,
    group: 'Errors',
    description: `${status} ${code}: ${title}. What causes it, how to fix it, and whether to retry.`,
    names: [code],
    opening: [
      `\`${status}\`, \`${code}\`. ${hint}`,
      ...(writeHint ? [`For a write: ${writeHint}`] : []),
    ].join('\n\n'),
  }
}

function clinicalPage(code: ProblemCode): GeneratedPage {
  const { opening, ...page } = common(code, problems[code])
  const site = problemCodesOf('site').find(each => each === code)
  return {
    ...page,
    body: inColumns({
      head: [opening, `## Can you retry?\n\n${mayRetry(code)}`],
      samples: [`## Example\n\n${json(problemBody(code, refusals[code], config.api))}`],
      rest: [
        '## Where it occurs',
        ...answeredBy(code),
        ...(site === undefined
          ? []
          : [
              `This site’s own API returns this error too: ${siteLines(site)}\n\n${hintOf(site, 'site', false)}`,
            ]),
      ],
    }),
  }
}

function sitePage(code: SiteProblemCode): GeneratedPage {
  const { opening, ...page } = common(code, problems[code])
  return {
    ...page,
    body: [
      opening,
      `## Where it occurs\n\nThis site’s own API ([contract](/openapi.json)): ${siteLines(code)}`,
      `The clinical API has [its own errors](${referenceHome}#errors).`,
    ],
  }
}

/** The sources of problems that no endpoint lists. */
const answeredElsewhere: Partial<Record<SiteProblemCode, string>> = {
  method_not_allowed: 'any path, for a method it doesn’t support.',
  page_gone: 'removed pages, if the client asks for JSON.',
  range_not_satisfiable: 'files, for a range outside the file.',
}

/**
 * The endpoints that return a problem, or "every endpoint" for a problem that any endpoint may
 * return.
 */
function siteLines(code: SiteProblemCode): string {
  const rows = Object.values(siteTable)
  const refusing = rows.filter(row => siteRefusalsOf(row).includes(code))
  const elsewhere = answeredElsewhere[code]
  if (elsewhere !== undefined) return elsewhere
  // Either all rows list the error, or none does because every endpoint can return it.
  if (refusing.length === rows.length || refusing.length === 0) return 'every endpoint.'
  return `${refusing.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`
}

const includes = (codes: readonly ProblemCode[], code: ProblemCode) => codes.includes(code)

function answeredBy(code: ProblemCode): Part[] {
  if (includes(everyRefusal, code)) return ['Every operation.']
  if (includes(writeRefusal, code)) return ['Every POST, PATCH and DELETE.']
  if (code === 'method_not_allowed') return ['Any path, for a method it doesn’t support.']
  const refusing = operationIds.filter(id => refusalsOf(table[id]).includes(code))
  if (code === 'not_found') return ['Unknown paths, and:', operationList(refusing)]
  return refusing.length > 0 ? [operationList(refusing)] : ['No operation returns this error yet.']
}

function mayRetry(code: ProblemCode): string {
  const { status } = problems[code]
  if (status === 500) {
    return 'Yes. Use the same Idempotency-Key and wait longer each time. The request can’t take effect twice.'
  }
  if (waits.includes(code)) {
    return 'Yes. Send the same request with the same Idempotency-Key after Retry-After seconds.'
  }
  return status === 409
    ? 'Not yet. Read the resource first, and act on its current status.'
    : 'No. Fix the cause first. The request had no effect, and its Idempotency-Key is still unused.'
}
