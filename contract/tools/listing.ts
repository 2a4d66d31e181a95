// The tools listed for a credential, and the filters in the server's URL.

import type { Mode } from '../operation.ts'
import { allScopes, type Scope } from '../scopes.ts'
import { listed } from '../mcp/tool.ts'
import { docsSearch } from './docs-search.ts'
import { type ClinicalTool, clinicalTools, listedTool } from './tools.ts'

/** A credential's mode, and its scopes at the organizations that granted them. */
export type Permitted = { readonly mode: Mode; readonly scopes: readonly Scope[] }

/** The filters in the query of the server's URL. */
export type Narrowing = { readonly groups: ReadonlySet<string> | null; readonly readOnly: boolean }

/** Turns `Cases` into "cases". */
const groupOf = ({ operation }: ClinicalTool): string => operation.tag.toLowerCase()

/** The groups of tools, in table order. */
export const toolGroups: readonly string[] = [...new Set(clinicalTools.map(groupOf))]

export const isKept = (tool: ClinicalTool, { groups, readOnly }: Narrowing): boolean =>
  (groups === null || groups.has(groupOf(tool))) && (!readOnly || tool.hints.readOnlyHint)

/** Live credentials have no sandbox tools, because every call would be refused. */
export const isPermitted = ({ operation }: ClinicalTool, { mode, scopes }: Permitted): boolean =>
  scopes.includes(operation.scope) && (operation.mode === 'both' || mode === operation.mode)

export const toolsOf = (permitted: Permitted, narrowing: Narrowing): ClinicalTool[] =>
  clinicalTools.filter(tool => isPermitted(tool, permitted) && isKept(tool, narrowing))

const written = new Map(clinicalTools.map(tool => [tool, listedTool(tool)]))
const search = listed(docsSearch)

/** Tools as `tools/list` returns them, with docs_search last. */
export const listedTools = (tools: readonly ClinicalTool[]) => [
  ...tools.flatMap(tool => written.get(tool) ?? []),
  search,
]

/** Every scope that a tool needs, in published order. Agents should request these scopes. */
export const toolScopes: readonly Scope[] = allScopes.filter(scope =>
  clinicalTools.some(({ operation }) => operation.scope === scope),
)
