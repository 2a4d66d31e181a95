import { siteTable } from '#contract/site.ts'

/** Below these everything is answered by a running gateway, found or not. */
const whole = ['api', 'api/.*', 'booking/.*', 'search', 'v1/.*']

const ofTable = Object.values(siteTable)
  .filter(({ path }) => !path.startsWith('/api/'))
  .map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+'))

/** What only a running gateway answers; every other path is a file, a redirect or missing. */
export const dynamicPaths = new RegExp(`^/(${[...new Set([...ofTable, ...whole])].join('|')})$`)
