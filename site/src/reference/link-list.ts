import { operationPath } from '#content/reference.ts'
import { type OperationId, table } from '#contract/api.ts'
import { inlineLinks } from '../render/inline.ts'
import { methodBadge } from './method-badge.ts'
import type { Part } from './parts.ts'

export type Route = { method: string; path: string }
type Item = { name: string; path: string; route?: Route | undefined }

/** Formats an item: `- [File a case](…): POST /v1/cases`. */
const line = ({ name, path, route }: Item) =>
  `- [${name}](${path})${route === undefined ? '' : `: \`${route.method} ${route.path}\``}`

const row = ({ name, path, route }: Item) =>
  `<li><a href="${path}">${inlineLinks(name)}</a>${route === undefined ? '' : ` ${routeHtml(route)}`}</li>`

/** A method as a badge, and a path that may break after its slashes. */
export const routeHtml = ({ method, path }: Route): string =>
  `<span class="route-line">${methodBadge(method)} <code>${path.replaceAll('/', '/<wbr>')}</code></span>`

/** Reference pages; operations include their routes. */
export const linkList = (items: readonly Item[]): Part => ({
  markdown: items.map(line).join('\n'),
  html: `<ul class="links-of">${items.map(row).join('')}</ul>`,
})

export const operationName = (id: OperationId): string => table[id].summary.replace(/\.$/, '')

export const operationList = (ids: readonly OperationId[]): Part =>
  linkList(ids.map(id => ({ name: operationName(id), path: operationPath(id), route: table[id] })))
