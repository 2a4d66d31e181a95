import { blockNames } from '#content/paths.ts'
import { fill } from '#content/fill.ts'
import type { Content } from '#content/read.ts'
import { contractBlocks } from './contract.ts'
import { dataOutBlocks } from './data-out.ts'
import { fhirBlocks } from './fhir.ts'
import { recordBlocks } from './records.ts'
import { toolBlocks } from './tools.ts'

type Block = (content: Content) => string

const blocks: Readonly<Record<string, Block>> = {
  ...recordBlocks,
  ...contractBlocks,
  ...dataOutBlocks,
  ...fhirBlocks,
  ...toolBlocks,
}

/**
 * Replaces `[[name]]` with its generated Markdown. The content check has already rejected unknown
 * names.
 */
export function expand(body: string, content: Content): string {
  return body.replace(/^\[\[([a-z-]+)\]\]$/gm, (_, name: string) => {
    const block = blocks[name]
    if (block === undefined) throw new Error(`no block is called ${name}: ${blockNames.join(', ')}`)
    return fill(block(content)).trim()
  })
}

export const knownBlocks = Object.keys(blocks)
