// Serves one build on a free port, as the gateway would but without a database: `bun
// gateway/commands/preview.ts site/dist`. Before publishing a build, a deployment requests every
// path in it from this server.
import path from 'node:path'
import { createContext } from '#clinical/context.ts'
import company from '#content/site.config.ts'
import { addressReader } from '#http/client-address.ts'
import { createApp } from '../server/app.ts'
import { loadDocuments } from '../static/documents.ts'
import { createHostCheck } from '#http/host-check.ts'
import { allEndpoints, withoutDatabase } from '../server/endpoints.ts'
import { listen } from '../origins/listen.ts'
import { createSiteGroup, siteContent } from '../server/content.ts'
import { createDryRunServices } from '../server/site-services.ts'
import { openLiveSite } from '../server/live-site.ts'

/** A URL where no database listens. Requests that need a database are refused; everything else
 *  works. */
const nowhere = 'postgres://preview@127.0.0.1:9/none'

/** Starts the server, and returns its URL and the origin in the build's links. */
async function servePreview(folder: string): Promise<{ url: string; site: string }> {
  const say = (name: string, fields = {}) =>
    console.error(JSON.stringify({ event: name, ...fields }))
  const site = await openLiveSite(folder, { event: say })
  const server = listen('127.0.0.1', 0)
  const base = `http://127.0.0.1:${server.port}`
  const context = createContext({
    isLiveOpen: () => false,
    urls: { test: nowhere, live: nowhere },
    poolSize: 1,
    pepper: 'of no key',
    base,
    storage: { folder: path.join(folder, 'files') },
    rateLimit: 1_000_000,
    // These requests' audit rows can't be written, and aren't needed.
    onError: () => {},
  })
  const siteServices = createDryRunServices({ base, site: () => site.current().site })
  const group = createSiteGroup({
    // There is no database to check.
    endpoints: allEndpoints({ site, siteServices, ...withoutDatabase(site, { event: say }) }),
    requests: 1_000_000,
    onError: failure => say('request.failed', { message: String(failure) }),
  })
  const app = createApp({
    context,
    isAllowedHost: createHostCheck(base, []),
    addressOf: addressReader([]),
    documents: loadDocuments({ ...company, api: base }),
    site: group,
    content: siteContent(site.current, group),
    log: { request() {}, event: say, flush() {} },
  })
  server.serve(app)
  return { url: base, site: company.site }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Name the folder of a built site.')
  console.log(JSON.stringify(await servePreview(path.resolve(folder))))
}
