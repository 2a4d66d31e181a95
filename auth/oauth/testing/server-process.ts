// The authorization server in its own process, so a test can kill it: bun server-process.ts
// <database url> <url of the API> <url of the tool server>

import { serve } from './fixture.ts'

if (import.meta.main) {
  const [url = '', api = '', mcp = ''] = process.argv.slice(2)
  const { issuer } = await serve({ url, resources: { api, mcp } })
  console.log(issuer)
}
