// `npm test -- readiness [--url http://localhost:8080]`: runs agent scanners' checks on the built
// site, and prints each check with its result. Without a URL, it serves `site/dist` itself.
import { openPreview } from './preview.ts'
import { agentChecks } from './readiness/agents.ts'
import { answerChecks } from './readiness/answers.ts'
import { catalogChecks } from './readiness/catalogs.ts'
import { fileChecks } from './readiness/files.ts'
import { llmsChecks } from './readiness/llms.ts'
import { pageChecks } from './readiness/pages.ts'
import { toolChecks } from './readiness/tools.ts'
import { signatureChecks } from './readiness/signatures.ts'
import { type Check, Miss, openScan, type Scan } from './readiness/scan.ts'

const checks: [string, Check[]][] = [
  ['discovery', fileChecks],
  ['llms', llmsChecks],
  ['pages', pageChecks],
  ['catalogs', catalogChecks],
  ['answers', answerChecks],
  ['protocols', [...toolChecks, ...agentChecks, ...signatureChecks]],
]

/** Scanner checks that we decline, with the reason. */
const declined: [string, string][] = [
  ['OAuth metadata for the site', 'the site’s API is anonymous; a stub would mislead agents'],
  ['markdown by User-Agent alone', 'a form is chosen by Accept, not by a guess at who asks'],
  ['200 for a page that does not exist', 'it contradicts the check for soft 404s'],
]

type Row = { verdict: 'ok' | 'MISS' | 'no'; group: string; name: string; what: string }

async function verdictOf(scan: Scan, group: string, check: Check): Promise<Row> {
  const row = { group, name: check.name }
  try {
    return { ...row, verdict: 'ok', what: await check.run(scan) }
  } catch (error) {
    if (!(error instanceof Miss)) throw error
    return { ...row, verdict: 'MISS', what: error.message }
  }
}

async function scanAll(url: string): Promise<Row[]> {
  const scan = await openScan(url)
  const rows: Row[] = []
  for (const [group, all] of checks) {
    for (const check of all) rows.push(await verdictOf(scan, group, check))
  }
  for (const [name, what] of declined) rows.push({ verdict: 'no', group: 'declined', name, what })
  return rows
}

function print(rows: Row[]): void {
  const width = (of: (row: Row) => string) => Math.max(...rows.map(row => of(row).length))
  const [groups, names] = [width(row => row.group), width(row => row.name)]
  for (const { verdict, group, name, what } of rows) {
    const cells = [verdict.padEnd(5), group.padEnd(groups), name.padEnd(names), what]
    console.log(cells.join('  '))
  }
  const count = (verdict: Row['verdict']) => rows.filter(row => row.verdict === verdict).length
  console.log(`\n${count('ok')} ok, ${count('MISS')} missed`)
}

const args = process.argv.slice(2)
const given = args.includes('--url') ? args[args.indexOf('--url') + 1] : undefined
const preview = given === undefined ? await openPreview() : undefined
try {
  const rows = await scanAll(preview?.url ?? given ?? '')
  print(rows)
  if (rows.some(({ verdict }) => verdict === 'MISS')) process.exitCode = 1
} finally {
  preview?.stop()
}
