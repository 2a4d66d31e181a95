import { operationPath, problemPath, scopeLink, scopesPath } from '#content/reference.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { eventTypes, resourceOf, scopeOfResource } from '#contract/events.ts'
import { allScopes, roleScopes, type Scope, scopes } from '#contract/scopes.ts'
import { markdownTable } from '../figures/figures.ts'
import { withArticle } from './article.ts'
import type { Made } from './contract.ts'
import { operationList } from './link-list.ts'
import type { Part } from './parts.ts'

/** All scopes of a key on one page, so that they can be compared. */
export function scopePage(): Made {
  return {
    path: scopesPath,
    title: 'Scopes: what each one permits',
    label: 'Scopes',
    group: '',
    description: `The ${allScopes.length} scopes of a key or an access token, what each lets it do, and which operations need it. A call without its scope is refused with insufficient_scope.`,
    names: ['scopes', ...allScopes],
    body: [
      `Every operation needs exactly one scope. A call may do what two lists both hold: those of its key or access token, and those that the clinic granted; [a worked example](/docs/concepts#effective-scopes-a-worked-example) has both. A scope that writes does not include the one that reads. What is missing is named by [\`insufficient_scope\`](${problemPath('insufficient_scope')}), and [\`GET /v1/organization\`](${operationPath('getOrganization')}) lists what the credential has. A token that acts for a member has no more than the member’s role: ${rolesInWords}.`,
      markdownTable(
        ['scope', 'lets a credential'],
        allScopes.map(scope => [scopeLink(scope), scopes[scope]]),
      ),
      ...allScopes.flatMap(section),
    ],
  }
}

/** What each role may give, which is all of the scopes for some. */
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
    `## \`${scope}\`\n\nLets a credential ${description}.${operations.every(isOfTest) ? ' In test mode alone.' : ''}`,
    operationList(operations),
    ...(resources === ''
      ? []
      : [`Events about ${resources} carry their resource for a credential that has this scope.`]),
  ]
}

const isOfTest = (id: OperationId) => table[id].mode === 'test'

/** The resources whose events have more fields for a credential with this scope, as a list. */
function embeddedBy(scope: Scope): string {
  const about = [...new Set(eventTypes.map(resourceOf))]
    .filter(resource => scopeOfResource[resource] === scope)
    .map(resource => withArticle(resource.replaceAll('_', ' ')))
  return about.length < 2 ? about.join('') : `${about.slice(0, -1).join(', ')} or ${about.at(-1)}`
}
