// A build's files with signatures: the agent card contains its own, as A2A specifies, and each
// catalog has a detached JWS (RFC 7515, appendix F).
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import type { FinishFiles } from '../static/files.ts'
import { cardPaths, jwksPath, signaturePathOf, signedCatalogs } from '../static/signed-paths.ts'
import { signed, type SigningKey } from './keys.ts'

/** The first key signs. All are published at `site`, so earlier keys' signatures stay valid. */
export function signFiles(
  [key, ...earlier]: readonly [SigningKey, ...SigningKey[]],
  site: string,
): FinishFiles {
  const keys = `${site}${jwksPath}`
  const set = { keys: [key, ...earlier].map(({ publicKey }) => publicKey) }
  return files => {
    const cards = files.filter(({ path }) => cardPaths.includes(path))
    // The card is one file at two URLs, and signing it twice would give two different signatures.
    const [card] = cards.map(({ bytes }) => textOf(signedCard(bytes, key, keys)))
    const catalogs = files.filter(({ path }) => signedCatalogs.includes(path))
    return [
      ...files.filter(file => !cards.includes(file)),
      ...cards.map(file => ({ ...file, ...card })),
      ...catalogs.map(({ path, bytes, modified }) => {
        const jws = signed(key, bytes, keys)
        const text = textOf(`${jws.protected}..${jws.signature}\n`)
        return { path: signaturePathOf(path), ...text, ...(modified && { modified }) }
      }),
      { path: jwksPath, ...textOf(`${JSON.stringify(set, null, 2)}\n`) },
    ]
  }
}

const textOf = (text: string) => ({ bytes: new TextEncoder().encode(text), smaller: new Map() })

/** A2A 1.0, section 8.4: the canonical form has only version 1.0 fields. */
function signedCard(bytes: Uint8Array, key: SigningKey, keys: string): string {
  const card: object = JSON.parse(new TextDecoder().decode(bytes))
  const payload = new TextEncoder().encode(canonicalizeAgentCard(AgentCard.fromJSON(card)))
  return `${JSON.stringify({ ...card, signatures: [signed(key, payload, keys)] }, null, 2)}\n`
}
