// The built site's guides and contract.
import path from 'node:path'
import { exampleAddresses } from '#contract/derive/clinical.ts'
import { loadRanking } from '#content/ranking/rank.ts'
import { loadCatalog } from '#gateway/search/catalog.ts'
import { openBuild } from '#gateway/search/endpoints.ts'
import { loadContract } from '#gateway/static/documents.ts'
import { loadSite } from '#gateway/static/static.ts'
import { docsOfBuilds } from '#gateway/mcp/docs.ts'

export function openBuiltDocs() {
  const site = loadSite(path.join(import.meta.dir, '../../site/dist'))
  const rank = loadRanking(site.text('/catalog/search.json') ?? '')
  const build = openBuild(site, rank, loadCatalog(site.text))
  const contract = loadContract(exampleAddresses)
  return { site, build, contract, docs: docsOfBuilds(() => build, contract, 'https://example.com') }
}
