// `bun run audit verify`: whether anything was done to the audit behind its back.
import { type Finding, verifyAudit } from '#clinical/audit-verify.ts'
import { signerOf } from '#clinical/audit-seal.ts'
import { openLanes } from '#database/lanes.ts'
import { readConfig } from './config.ts'
import { auditSecretOf, pepperOf } from './credentials.ts'
import { ownerUrl, saidOf } from './owner-url.ts'
import { openSecrets } from './secrets.ts'

const help = `Usage:
  bun run audit verify [--head n:signature]

Reads the whole audit and every seal, and names each row that was changed, removed or added after it
was sealed, and each seal that was changed or is missing. Ends with 1 when there is any. The head it
prints, or a line "audit.sealed" of an old log, shows later that no end was cut off: give it as --head.`

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
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

async function run(args: string[]): Promise<number> {
  const [command, flag, head] = args
  const isCommand = command === 'verify' && (flag === undefined || flag === '--head')
  if (!isCommand || (flag === '--head' && !/^\d+:[0-9a-f]{64}$/.test(head ?? ''))) {
    console.log(help)
    return args.length === 0 || args.includes('--help') ? 0 : 2
  }
  const config = readConfig()
  const signer = signerOf(auditSecretOf(pepperOf(config, openSecrets(config.dataDir))))
  const lanes = openLanes({ url: ownerUrl(config), size: 1, name: 'audit', path: 'public' })
  const found = await lanes.use(lane => verifyAudit(lane, signer, head ?? null))
  await lanes.close()
  for (const { what, where } of found.findings.slice(0, shownMax)) {
    console.log(`${where.padStart(12)}  ${words[what]}`)
  }
  const { length } = found.findings
  if (length > shownMax) console.log(`… and ${length - shownMax} more`)
  const rows = `${counted(found.sealed, 'row')} under ${counted(found.seals, 'seal')}`
  console.log(`${rows}, ${found.waiting} not sealed yet.`)
  if (found.head) console.log(`Head ${found.head}`)
  console.log(
    length === 0 ? 'Nothing was changed, removed or added.' : `${counted(length, 'finding')}.`,
  )
  return length === 0 ? 0 : 1
}

run(process.argv.slice(2)).then(
  code => process.exit(code),
  (error: unknown) => {
    console.error(saidOf(error))
    process.exit(2)
  },
)
