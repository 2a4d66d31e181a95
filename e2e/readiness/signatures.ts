// Verifies the agent card and the catalogs with the site's published keys.
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { flattenedVerify, type JWK } from 'jose'
import { type Answer, type Check, must, parsed, type Scan, word, at, list } from './scan.ts'

const keysPath = '/.well-known/jwks.json'
const cardPath = '/.well-known/agent-card.json'
const catalogs = [
  'ai-catalog.json',
  'api-catalog',
  'agent-skills/index.json',
  'mcp.json',
  'acp.json',
]

const signatures: Check = {
  name: 'signatures of card and catalogs (JWS)',
  async run(scan) {
    const answer = await scan.ask(keysPath)
    const card = await scan.ask(cardPath)
    if (answer.status === 404) {
      must(!card.text.includes('"signatures"'), `${cardPath} is signed without a published key`)
      return 'none, and no key: this server does not sign'
    }
    const keys = list(at(parsed(answer, keysPath), 'keys')) as JWK[]
    const keyOf = (kid: string) => {
      const key = keys.find(each => each.kid === kid)
      must(key !== undefined, `${keysPath} lacks the key ${kid}`)
      return key
    }
    const verify = verifyAgentCardSignature(async kid => keyOf(kid))
    await verify(AgentCard.fromJSON(parsed(card, cardPath))).catch(error => must(false, `${error}`))
    for (const name of catalogs) await verifyDetached(scan, `/.well-known/${name}`, keyOf)
    return `the card and ${catalogs.length} catalogs, with ${keys.length} published keys`
  },
}

async function verifyDetached(scan: Scan, path: string, keyOf: (kid: string) => JWK) {
  const [file, beside]: Answer[] = await Promise.all([scan.ask(path), scan.ask(`${path}.jws`)])
  must(beside?.type === 'application/jose', `${path}.jws is ${beside?.type}`)
  const [head = '', , signature = ''] = beside.text.trim().split('.')
  const header: unknown = JSON.parse(Buffer.from(head, 'base64url').toString())
  const payload = Buffer.from(file?.bytes ?? []).toString('base64url')
  const jws = { protected: head, payload, signature }
  await flattenedVerify(jws, keyOf(word(at(header, 'kid')))).catch(error =>
    must(false, `${path}.jws: ${error}`),
  )
}

export const signatureChecks = [signatures]
