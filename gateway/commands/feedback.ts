// `npm run admin -- feedback`: readers' answers about each page, least helpful page first.
import { parseArgs } from 'node:util'
import { UsageFault } from '#auth/operator.ts'
import { openPool } from '#database/pool.ts'
import { feedbackSince, type PageFeedback } from '../feedback/count.ts'
import { feedbackTable } from '../feedback/report.ts'
import { readConfig } from '../settings/config.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

const daysDefault = 90

const help = `Usage:
  npm run admin -- feedback [--days=${daysDefault}]

Prints readers' answers to “Was this page helpful?” from the last days: for each page, how many said
yes, and the reasons others gave. Pages with the most reasons come first.`

async function run(args: string[]): Promise<number> {
  const options = { days: { type: 'string', default: String(daysDefault) } } as const
  const { days } = parseArgs({ args, options }).values
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new UsageFault(`--days must be a whole number from 1 to 9999, not "${days}".`)
  const pool = openPool({ url: ownerUrl(readConfig()), size: 1, name: 'feedback', path: 'public' })
  const rows = await pool.use(connection =>
    connection.run<PageFeedback>(feedbackSince(Number(days))),
  )
  console.log(feedbackTable(rows, Number(days)))
  await pool.close()
  return 0
}

export const feedback: Command = { help, run }
