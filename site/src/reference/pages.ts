import { referenceHome, scopesPath, tryPath } from '#content/reference.ts'
import { operationIds } from '#contract/api.ts'
import { tags } from '#contract/tags.ts'
import { eventTypes } from '#contract/events.ts'
import { problemCodesOf } from '#contract/problems.ts'
import { contract, type GeneratedPage } from './contract.ts'
import { linkList } from './link-list.ts'
import { operationPages } from './operation-page.ts'
import { problemPages } from './problem-pages.ts'
import { eventPages, schemaPages } from './schema-pages.ts'
import { scopePage } from './scope-page.ts'

/** The API reference in reading order: operations, schemas, events, errors. */
export function referencePages(): GeneratedPage[] {
  const pages = [...operationPages(), ...schemaPages(), ...eventPages(), ...problemPages()]
  return [homePage(pages), scopePage(), ...pages]
}

/** The sidebar's groups, each with its pages. The overview pages belong to no group. */
export function groupsOf<Page extends { group: string; path: string }>(pages: Page[]) {
  const listed = pages.filter(({ group }) => group !== '')
  return [...new Set(listed.map(({ group }) => group))].map(group => ({
    group,
    pages: listed.filter(page => page.group === group),
  }))
}

const about: Readonly<Record<string, string>> = {
  ...tags,
  Schemas: 'Request and response objects, field by field.',
  'Event types': 'The types of events in the stream.',
  Errors: 'Every error code. Branch on the code.',
}

function homePage(pages: GeneratedPage[]): GeneratedPage {
  const schemas = Object.keys(contract.components.schemas).length
  return {
    path: referenceHome,
    title: 'API reference',
    label: 'API reference',
    group: '',
    description: `Every clinical API operation with its request and response, in curl, TypeScript and Python, and every schema, event and error.`,
    names: ['reference', 'endpoints', 'openapi'],
    body: [
      `${operationIds.length} operations, ${schemas} schemas, ${eventTypes.length} events and ${problemCodesOf('v1').length} errors in the clinical API, plus [the scopes](${scopesPath}) a key can have. These pages are generated from the same table as the API itself, so they're always current. The table is published as OpenAPI 3.1: [JSON](/openapi/v1.json), [YAML](/openapi/v1.yaml). Each operation has a form to send it from your browser: [try the API](${tryPath}).`,
      'Each request reads the URL and a test key from the shell. [Sign up free]({sign_up_url}) and create a key in [the portal]({portal_url}), or start a sandbox on your machine, which saves both ([quickstart](/docs/quickstart)):',
      '```sh\nexport KEY=$(node -p "require(\'./.data/dev.json\').key")\nexport API=$(node -p "require(\'./.data/dev.json\').url")\n```',
      ...groupsOf(pages).flatMap(({ group, pages: all }) => [
        `## ${group}\n\n${about[group] ?? ''}`,
        linkList(
          all.map(({ label, path, route }) => ({
            name: isCode(group) ? `\`${label}\`` : label,
            path,
            route,
          })),
        ),
      ]),
    ],
  }
}

const isCode = (group: string) => group === 'Event types' || group === 'Errors'
