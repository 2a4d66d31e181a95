// The tool server's guides and contract, from the current build.
import { type Docs, openDocs } from '#mcp/docs/docs.ts'
import type { Contract } from '#mcp/docs/resources.ts'
import type { Addresses } from '#contract/derive/clinical.ts'
import type { Build } from '../search/endpoints.ts'
import { loadContract } from '../static/documents.ts'

/** The guides with the served contract, which is loaded on first use. */
export function servedDocs(current: () => Build, addresses: Addresses, site: string): () => Docs {
  let docs: (() => Docs) | undefined
  return () => (docs ??= docsOfBuilds(current, loadContract(addresses), site))()
}

/** `site`: the origin of the pages. */
export function docsOfBuilds(current: () => Build, contract: Contract, site: string): () => Docs {
  const made = new WeakMap<Build, Docs>()
  return () => {
    const build = current()
    const before = made.get(build)
    if (before !== undefined) return before
    const { catalog, rank, site: files } = build
    const { guides, skills } = catalog
    const read = files.text
    const docs = openDocs({ guides, contract, rank, read, site, skills: skills.reading })
    made.set(build, docs)
    return docs
  }
}
