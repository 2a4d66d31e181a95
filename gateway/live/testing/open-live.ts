// Creates an integration with an agreement, a synthetic clinic's grant and a live key in the
// configured database, for drills with a whole installation: `open-live.ts NAME`.
import { grant, issueKey, openIntegration, openOrganization } from '#auth/integrations.ts'
import { stateEncryption } from '#auth/operators/encryption-statements.ts'
import { acceptAgreement } from '#auth/testing/administration.ts'
import { print } from '../../commands/credentials.ts'

if (import.meta.main) {
  await print('open live', process.argv.slice(2), async ([name = 'drill'], context) => {
    const { connection, peppers } = context
    const organization = await openOrganization(connection, name, name)
    const { integration } = await openIntegration(connection, name)
    await grant(connection, { integration, organization, mode: 'live' })
    await acceptAgreement(connection, integration, '2026-09-01')
    const disks = 'A drill, without patients.'
    await stateEncryption(connection, { volume: disks, backups: disks, by: 'A drill' })
    const { key } = await issueKey(connection, peppers[0], { integration, mode: 'live', name })
    return JSON.stringify({ key, integration })
  })
}
