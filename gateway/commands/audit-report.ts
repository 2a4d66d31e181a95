// What `bun run audit verify` says, also at the end of a restore.
import { signerOf } from '#clinical/audit/sign.ts'
import { type Finding, verifyAudit } from '#clinical/audit/verify.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { auditSecretOf } from '../server/credentials.ts'

const words: Record<Finding['what'], string> = {
  row_changed: 'row was changed after it was sealed',
  row_removed: 'row was removed after it was sealed',
  row_added: 'row was added among sealed ones',
  seal_changed: 'seal was changed, or what it signs was',
  seal_missing: 'seal is missing',
  end_missing: 'seal, which was there once, is not there any more',
  key_unknown: 'seal was made with another key than that of this house',
}
const shownMax = 100
export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Reads the whole audit and tells what was done to it; true when nothing was. */
export async function reportAudit(
  pool: ConnectionPool,
  pepper: string,
  head: string | null,
  say: (line: string) => void,
): Promise<boolean> {
  const signer = signerOf(auditSecretOf(pepper))
  const found = await pool.use(connection => verifyAudit(connection, signer, head))
  for (const { what, where } of found.findings.slice(0, shownMax)) {
    say(`${where.padStart(12)}  ${words[what]}`)
  }
  const { length } = found.findings
  if (length > shownMax) say(`… and ${length - shownMax} more`)
  const rows = `${counted(found.sealed, 'row')} under ${counted(found.seals, 'seal')}`
  say(`${rows}, ${found.waiting} not sealed yet.`)
  if (found.head) say(`Head ${found.head}`)
  say(length === 0 ? 'Nothing was changed, removed or added.' : `${counted(length, 'finding')}.`)
  return length === 0
}
