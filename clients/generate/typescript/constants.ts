// Values that the library needs at run time.

import config from '#content/site.config.ts'
import type { Model } from '../model.ts'
import { literal } from './docs.ts'

const screaming = (slug: string) => slug.toUpperCase().replaceAll('-', '_')

export function constantsFile(model: Model, version: string): string {
  const { transport, oauth, realtime, limits } = model
  const constants: Record<string, [doc: string, value: unknown, type?: string]> = {
    sdkVersion: ['The version of this package.', version],
    slug: ['What the names of keys begin with.', model.slug],
    environmentPrefix: ['What the names of variables begin with.', screaming(model.slug)],
    apiVersion: ['The version of the API that this package was made for.', model.apiVersion],
    defaultBaseUrl: ['Where the API is, unless an option says otherwise.', config.api],
    pageMax: ['The most items that a page can have.', limits.pageMax],
    ...Object.fromEntries(
      Object.entries(transport).map(([name, value]) => [
        name,
        ['', value, Array.isArray(value) ? `readonly ${typeof value[0]}[]` : undefined],
      ]),
    ),
    tokenPath: ['Of the authorization server.', oauth.tokenPath],
    metadataPath: ['Where the API names its authorization server (RFC 9728).', oauth.metadataPath],
    realtimePath: ['Where realtime messages come from.', realtime.path],
    realtimeProtocol: ['What a subscriber offers beside its token.', realtime.protocol],
  }
  return Object.entries(constants)
    .map(([name, [doc, value, type]]) => {
      const about = doc === '' ? '' : `/** ${doc} */\n`
      const assertion = typeof value === 'object' && type === undefined ? ' as const' : ''
      const annotated = type === undefined ? '' : `: ${type}`
      return `${about}export const ${name}${annotated} = ${literal(value)}${assertion}\n`
    })
    .join('\n')
}
