import { operationPath, problemPath, scopeLink, scopesPath } from '#content/reference.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { eventTypes, resourceOf, scopeOfResource } from '#contract/events.ts'
import { allScopes, roleScopes, type Scope, scopes } from '#contract/scopes.ts'
import { markdownTable } from '../figures/figures.ts'
import { withArticle } from './article.ts'
import type { GeneratedPage } from './contract.ts'
import { operationList } from './link-list.ts'
import type { Part } from './parts.ts'

/** All of a key's scopes on one page, for comparison. */
export function scopePage(): GeneratedPage {
  return {
    path: scopesPath,
    title: 'Scopes: what each one allows',
    label: 'Scopes',
    group: '',
    description: `The ${allScopes.length} scopes for keys and access tokens, what each one allows, and which operations need it. A request without the scope gets insufficient_scope.`,
    names: ['scopes', ...allScopes],
    body: [
      `Every operation needs one scope. A request can use a scope only if its key or access token has it and the clinic granted it; here's [a worked example](/docs/concepts#effective-scopes-a-worked-example). A write scope doesn't include the matching read scope. [\`insufficient_scope\`](${problemPath('insufficient_scope')}) names the missing scope, and [\`GET /v1/organization\`](${operationPath('getOrganization')}) lists the ones the credential has. A token that acts for a teammate can’t exceed the teammate’s role: ${rolesInWords}.`,
      markdownTable(
        ['scope', 'allows a credential to'],
        allScopes.map(scope => [scopeLink(scope), scopes[scope]]),
      ),
      ...allScopes.flatMap(section),
    ],
  }
}

/** The scopes that each role may grant. Some roles may grant every scope. */
const rolesInWords = Object.entries(roleScopes)
  .map(([role, given]: [string, readonly Scope[]]) =>
    given.length === allScopes.length
      ? `${role} all`
      : `${role} ${given.map(scope => `\`${scope}\``).join(', ')}`,
  )
  .join('; ')

const needing = (scope: Scope): OperationId[] =>
  operationIds.filter(id => table[id].scope === scope)

function section(scope: Scope): Part[] {
  const [description, operations, resources] = [scopes[scope], needing(scope), embeddedBy(scope)]
  return [
    `## \`${scope}\`\n\nAllows a credential to ${description}.${operations.every(isOfTest) ? ' Test mode only.' : ''}`,
    operationList(operations),
    ...(resources === ''
      ? []
      : [`With this scope, events about ${resources} include the resource.`]),
  ]
}

const isOfTest = (id: OperationId) => table[id].mode === 'test'

/** The resources whose events have more fields with this scope, as a list. */
function embeddedBy(scope: Scope): string {
  const about = [...new Set(eventTypes.map(resourceOf))]
    .filter(resource => scopeOfResource[resource] === scope)
    .map(resource => withArticle(resource.replaceAll('_', ' ')))
  return about.length < 2 ? about.join('') : `${about.slice(0, -1).join(', ')} or ${about.at(-1)}`
}
