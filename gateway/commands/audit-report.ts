// The report of `npm run admin -- audit verify`. A restore also prints the report at the end.
import type { Peppers } from '#auth/pepper.ts'
import { signerOf } from '#clinical/audit/sign.ts'
import { type Described, describeRows, type Finding, verifyAudit } from '#clinical/audit/verify.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { auditSecretOf } from '../settings/credentials.ts'

const messages: Record<Finding['what'], string> = {
  row_changed: 'row was changed after it was signed',
  row_removed: 'row was removed after it was signed',
  row_added: 'row was added among signed rows',
  seal_changed: 'signature does not match the rows it covers',
  seal_missing: 'signature is missing',
  end_missing: 'signature existed earlier and has been removed',
  key_unknown: 'signature was made with another key',
  charge_changed: 'was changed after it was written',
  charge_removed: 'was removed',
  charge_added: 'was written without its audit row',
}
const shownMax = 100
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** The row's current content, which may differ from the signed content. */
const textOf = ({ at, surface, action, actor, person, client }: Described) => {
  const who = Object.entries({ actor, person, client }).filter(([, id]) => id !== null)
  return `${at} ${surface} ${action}${who.map(([name, id]) => `, ${name} ${id}`).join('')}`
}

/** Verifies the whole audit log and prints the findings; returns true if there are none. */
export async function reportAudit(
  pool: ConnectionPool,
  peppers: Peppers,
  head: string | null,
  say: (line: string) => void,
): Promise<boolean> {
  const signers = peppers.map(pepper => signerOf(auditSecretOf(pepper)))
  const found = await pool.use(connection => verifyAudit(connection, signers, head))
  const shown = found.findings.slice(0, shownMax)
  const rows = await pool.use(connection =>
    describeRows(
      connection,
      shown.filter(({ what }) => what.startsWith('row_')).map(({ where }) => where),
    ),
  )
  for (const { what, where } of shown) {
    say(`${where.padStart(12)}  ${messages[what]}`)
    const row = what.startsWith('row_') && rows.find(({ seq }) => seq === where)
    if (row) say(`${' '.repeat(14)}${textOf(row)}`)
  }
  const { length } = found.findings
  if (length > shownMax) say(`… and ${length - shownMax} more`)
  const signed = `${counted(found.sealed, 'row')} under ${counted(found.seals, 'signature')}`
  say(`${signed}, ${found.waiting} not yet signed.`)
  if (found.head) say(`Head ${found.head}`)
  say(length === 0 ? 'Nothing was changed, removed or added.' : `${counted(length, 'finding')}.`)
  return length === 0
}
