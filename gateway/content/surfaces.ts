// The site's own endpoints. Each answers from the build that lies there when the call comes in.
import type { DoorCall, Surface } from '../door.ts'
import type { Site } from '../site/static.ts'
import type { Ask } from './ask.ts'
import { askRoute } from './ask-routes.ts'
import type { Catalog } from './catalog.ts'

/** One build, loaded: what its files are, and what its endpoints answer from. */
export type Build = {
  readonly site: Site
  readonly ask: (call: DoorCall) => Promise<Response> | Response
  readonly catalog: Catalog
}

export const openBuild = (site: Site, ask: Ask, catalog: Catalog): Build => ({
  site,
  ask: askRoute(ask),
  catalog,
})

export function contentSurfaces(current: () => Build): Surface[] {
  return [
    {
      path: '/ask',
      methods: ['GET', 'POST'],
      form: 'problem',
      answer: call => current().ask(call),
    },
  ]
}
