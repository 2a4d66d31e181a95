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
import type { Made } from './contract.ts'
import { operationList } from './link-list.ts'
import { inColumns, type Part } from './parts.ts'
import { json } from './samples.ts'

type ProblemCode = ProblemCodeOf<'v1'>
type SiteProblemCode = ProblemCodeOf<'site'>

/** One page for each code of either API; a code of both means the same in both. */
export const problemPages = (): Made[] => [
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
    description: `${status} ${code}: ${title}. What causes it, what to do about it, and whether the request may be sent again.`,
    names: [code],
    opening: [
      `\`${status}\`, \`${code}\`. ${hint}`,
      ...(writeHint ? [`For a write: ${writeHint}`] : []),
    ].join('\n\n'),
  }
}

function clinicalPage(code: ProblemCode): Made {
  const { opening, ...page } = common(code, problems[code])
  const site = problemCodesOf('site').find(each => each === code)
  return {
    ...page,
    body: inColumns({
      head: [opening, `## May the request be sent again?\n\n${mayRetry(code)}`],
      samples: [`## Example\n\n${json(problemBody(code, refusals[code], config.api))}`],
      rest: [
        '## Who answers it',
        ...answeredBy(code),
        ...(site === undefined
          ? []
          : [
              `The site’s own API answers it too: ${siteLines(site)}\n\n${hintOf(site, 'site', false)}`,
            ]),
      ],
    }),
  }
}

function sitePage(code: SiteProblemCode): Made {
  const { opening, ...page } = common(code, problems[code])
  return {
    ...page,
    body: [
      opening,
      `## Who answers it\n\nThe site’s own API, which [its contract](/openapi.json) describes: ${siteLines(code)}`,
      `The clinical API has [errors of its own](${referenceHome}#errors).`,
    ],
  }
}

/** Who answers what no endpoint answers by itself. */
const answeredElsewhere: Partial<Record<SiteProblemCode, string>> = {
  method_not_allowed: 'every path, to a method that it does not take.',
  page_gone: 'no endpoint, but each page that was taken down, where the client asks for JSON.',
  range_not_satisfiable: 'no endpoint, but each file, to a range that is not in it.',
}

/** Problems of every operation are summarized in two words, others named. */
function siteLines(code: SiteProblemCode): string {
  const rows = Object.values(siteTable)
  const refusing = rows.filter(row => siteRefusalsOf(row).includes(code))
  const elsewhere = answeredElsewhere[code]
  if (elsewhere !== undefined) return elsewhere
  // What no row lists can happen to each of them.
  if (refusing.length === rows.length || refusing.length === 0) return 'every endpoint.'
  return `${refusing.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`
}

const includes = (codes: readonly ProblemCode[], code: ProblemCode) => codes.includes(code)

function answeredBy(code: ProblemCode): Part[] {
  if (includes(everyRefusal, code)) return ['Every operation.']
  if (includes(writeRefusal, code)) return ['Every POST, PATCH and DELETE.']
  if (code === 'method_not_allowed') return ['Every path, to a method that it does not take.']
  const refusing = operationIds.filter(id => refusalsOf(table[id]).includes(code))
  if (code === 'not_found') return ['Unknown paths, and:', operationList(refusing)]
  return refusing.length > 0 ? [operationList(refusing)] : ['No operation of this version.']
}

function mayRetry(code: ProblemCode): string {
  const { status } = problems[code]
  if (status === 500) {
    return 'Yes: with the same Idempotency-Key, waiting longer each time. It cannot take effect twice.'
  }
  if (waits.includes(code)) {
    return 'Yes: send the same request, with the same Idempotency-Key, after Retry-After seconds.'
  }
  return status === 409
    ? 'Not as it is: read the resource first, and decide again by its current status.'
    : 'No: change the request first. It had no effect, and its Idempotency-Key is unused.'
}
