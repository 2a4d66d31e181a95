// The anonymous side for tests: a small built site and its endpoints behind the real door.
import { loadAsk } from './content/ask.ts'
import { openSampleCatalog } from './content/sample-catalog.ts'
import { sampleIndex } from './content/sample-index.ts'
import { type Build, contentSurfaces, openBuild } from './content/surfaces.ts'
import { type DoorParts, openDoor, type Surface } from './door.ts'
import { openQuota } from './door/quota.ts'
import { contentRoutes } from './plugin.ts'
import { loadSite } from './site/static.ts'

export const sampleBuild = (folder: string, articles = 3): Build =>
  openBuild(loadSite(folder), loadAsk(sampleIndex()), openSampleCatalog(articles))

type Parts = Partial<DoorParts> & { build: () => Build; more?: readonly Surface[] }

/** Answers as the gateway does behind its fence; a failure of ours is thrown at the test. */
export function sampleContent({ build, more = [], ...parts }: Parts) {
  const door = openDoor({
    surfaces: [...contentSurfaces(build), ...more],
    quota: openQuota({ requests: 1_000_000 }),
    alarm: failure => {
      throw failure
    },
    ...parts,
  })
  const routes = contentRoutes({ site: () => build().site, door })
  return async (request: Request, address: string | null = '203.0.113.7') =>
    routes(request, { id: 'req_of_a_test', address, note() {} })
}
