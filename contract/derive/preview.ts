// The text of the preview's document.

import { previewNoticeDays, previewVersion } from '../limits.ts'
import { previewSchemaExamples } from '../examples/preview.ts'
import { previewTags } from '../tags.ts'
import { schemaExamples } from '../examples/schemas.ts'
import {
  type Addresses,
  type DocumentTexts,
  exampleAddresses,
  openapi,
  prose,
  type Rows,
} from './clinical.ts'
import type { Node } from './schemas.ts'

const introduction = `
Tools for integration developers, alongside the clinical API. They share its credentials, scopes,
organizations, idempotency keys, lists, times and errors, as described in
${exampleAddresses.api}/openapi/v1.json.

**This is a preview.** Every response names its version in \`API-Preview\`. Anything here may change
or be removed ${previewNoticeDays} days after the changelog says so. The tool server doesn't offer it.
`.trim()

const texts: DocumentTexts = {
  name: 'preview',
  info: {
    title: 'Clinical Integrations API: preview',
    version: previewVersion,
    summary: "Your integration's request log, event replays and sandbox clock.",
    description: prose(introduction),
    contact: { name: 'The operator of this API', url: `${exampleAddresses.api}/about` },
  },
  tags: previewTags,
  schemaExamples: { ...schemaExamples, ...previewSchemaExamples },
}

export const previewOpenapi = (rows: Rows, addresses: Addresses = exampleAddresses): Node =>
  openapi(rows, addresses, texts)
