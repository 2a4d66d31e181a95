// Where the pages of the reference stand. Their texts are made from the contract, so an address
// follows from a name.

const kebab = (name: string) =>
  name
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `-${letter}`)
    .replaceAll(/[._]/g, '-')
    .toLowerCase()

export const referenceHome = '/docs/api'
/** Where a request is sent from the browser. */
export const tryPath = `${referenceHome}/try`
export const operationPath = (id: string) => `${referenceHome}/${kebab(id)}`
export const schemaPath = (name: string) => `${referenceHome}/schemas/${kebab(name)}`
export const eventPath = (type: string) => `${referenceHome}/events/${kebab(type)}`
export const scopesPath = `${referenceHome}/scopes`
/** The heading of a scope is its name, of which an anchor keeps the letters. */
export const scopePath = (scope: string) => `${scopesPath}#${scope.replace(':', '')}`
export const scopeLink = (scope: string) => `[\`${scope}\`](${scopePath(scope)})`
/** What the `type` of a problem names. */
export const problemPath = (code: string) => `/problems/${code}`

/** Whether a page belongs to the reference. */
export const isReference = (path: string) => /^\/(docs\/api|problems)(\/|$)/.test(path)
