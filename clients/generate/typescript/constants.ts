// Values that the library needs at run time.

import config from '#content/site.config.ts'
import type { Model } from '../model.ts'
import { literal } from './docs.ts'

const screaming = (slug: string) => slug.toUpperCase().replaceAll('-', '_')

export function constantsFile(model: Model, version: string): string {
  const { transport, oauth, realtime, limits } = model
  const constants: Record<string, [doc: string, value: unknown, type?: string]> = {
    sdkVersion: ['This package’s version.', version],
    slug: ['The prefix of key names.', model.slug],
    environmentPrefix: ['The prefix of environment variables.', screaming(model.slug)],
    apiVersion: ['The API version this package targets.', model.apiVersion],
    defaultBaseUrl: ['The default API URL.', config.api],
    pageMax: ['The maximum number of items per page.', limits.pageMax],
    ...Object.fromEntries(
      Object.entries(transport).map(([name, value]) => [
        name,
        ['', value, Array.isArray(value) ? `readonly ${typeof value[0]}[]` : undefined],
      ]),
    ),
    tokenPath: ['The token endpoint’s path.', oauth.tokenPath],
    metadataPath: ['Names the authorization server (RFC 9728).', oauth.metadataPath],
    realtimePath: ['The path of the realtime WebSocket.', realtime.path],
    realtimeProtocol: [
      'The subprotocol a subscriber offers along with its token.',
      realtime.protocol,
    ],
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
