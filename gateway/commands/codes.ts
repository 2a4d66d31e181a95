// `npm run admin -- codes`: the ICD-10-CM codes that clinicians search in the note editor.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CommandFault, unknownCommand } from '#auth/operator.ts'
import { loadCodes, loadedYears } from '#clinical/diagnoses/load.ts'
import { readCodes, yearIn } from '#clinical/diagnoses/read-file.ts'
import { type Connection, openPool } from '#database/pool.ts'
import { readConfig } from '../settings/config.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

const help = `Usage:
  npm run admin -- codes load icd10cm-codes-2026.txt
  npm run admin -- codes load <file> --year=2026
  npm run admin -- codes list

Loads a fiscal year's ICD-10-CM codes. The year starts on October 1 of the year before. The file is
icd10cm-codes-YYYY.txt or icd10cm-order-YYYY.txt, which the CDC publishes in the public domain.
The year comes from the file name or --year. Loading a year again replaces all of its codes in one
step; a file with a malformed line changes nothing. Signed notes keep their codes and titles.

Clinicians then search the newest year that has started. Codes that aren't billable in the current
year are refused. Load the next year's file before October 1.`

/** Loading takes seconds, longer than the default limit. */
const settings = { statement_timeout: '300000' }

async function run(args: string[]): Promise<number> {
  const options = { year: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [command, file, ...more] = positionals
  const isLoad = command === 'load' && file !== undefined && more.length === 0
  const isList = command === 'list' && file === undefined && values.year === undefined
  if (!isLoad && !isList) throw unknownCommand(args)
  const url = ownerUrl(readConfig())
  const work = isLoad ? load(file, values.year) : list
  const pool = openPool({ url, size: 1, name: 'codes', settings })
  try {
    await pool.use(work)
  } finally {
    await pool.close()
  }
  return 0
}

/** Reads the whole file before it opens the database. */
function load(file: string, given: string | undefined) {
  const year = given === undefined ? yearIn(path.basename(file)) : Number(given)
  if (year === null || !/^20\d\d$/.test(String(year))) {
    throw new CommandFault('Give the fiscal year, such as --year=2026.')
  }
  if (!existsSync(file)) throw new CommandFault(`${file} doesn’t exist.`)
  const codes = readCodes(readFileSync(file))
  return async (connection: Connection) => {
    await loadCodes(connection, year, codes)
    console.log(
      `Loaded ${codes.length} codes for fiscal year ${year}: October 1, ${year - 1} to September 30, ${year}.`,
    )
  }
}

async function list(connection: Connection): Promise<void> {
  const years = await loadedYears(connection)
  for (const { year, codes } of years) console.log(`${year}  ${codes} codes`)
  if (years.length === 0)
    console.log('No codes loaded yet. Load a file with npm run admin -- codes load.')
}

export const diagnosisCodes: Command = { help, run, needsWords: true }
