// The only pages that show a secret: after an endpoint is created, and after its secret is rotated.
// These pages explain how a receiver verifies signatures.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { MemberCall, PortalContext } from '../../context.ts'
import { Copyable, Heading } from '#http/html/parts.tsx'
import type { Endpoint } from './list-parts.tsx'

/** In a separate file, so a test can run the code that people copy. */
const verification = readFileSync(path.join(import.meta.dir, 'verification.js'), 'utf8').trimEnd()

export const secretPage = (
  { site }: PortalContext,
  call: MemberCall,
  endpoint: Endpoint,
  { title, lead }: { title: string; lead: string },
) => ({
  title,
  content: (
    <>
      <Heading title={title} lead={lead} />
      <Copyable label="Secret" text={endpoint.secret ?? ''} />
      <section class="part">
        <h2>Verify signatures</h2>
        <p>
          Every delivery has a <code>Service-Signature</code> header. The whole secret, including{' '}
          <code>whsec_</code>, is the key.
        </p>
        <Copyable label="Node.js verification" text={verification} />
        <p>
          <a href={`${site.url}/docs/webhooks`}>Receivers for Express, Next, Python and others</a>
        </p>
      </section>
      <p class="actions">
        <a class="button" href={call.pathOf('webhook', { id: endpoint.id })}>
          Done
        </a>
      </p>
    </>
  ),
})
