// The reference pages' URLs, derived from the names in the contract.

export const kebab = (name: string) =>
  name
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `-${letter}`)
    .replaceAll(/[._]/g, '-')
    .toLowerCase()

export const referenceHome = '/docs/api'
/** The page that sends requests from the browser. */
export const tryPath = `${referenceHome}/try`
export const operationPath = (id: string) => `${referenceHome}/${kebab(id)}`
export const schemaPath = (name: string) => `${referenceHome}/schemas/${kebab(name)}`
export const eventPath = (type: string) => `${referenceHome}/events/${kebab(type)}`
export const scopesPath = `${referenceHome}/scopes`
/** A scope's anchor is its name without the colon. */
export const scopePath = (scope: string) => `${scopesPath}#${scope.replace(':', '')}`
export const scopeLink = (scope: string) => `[\`${scope}\`](${scopePath(scope)})`
/** A problem's `type`. */
export const problemPath = (code: string) => `/problems/${code}`

/** Whether a page belongs to the reference. */
export const isReference = (path: string) => /^\/(docs\/api|problems)(\/|$)/.test(path)
