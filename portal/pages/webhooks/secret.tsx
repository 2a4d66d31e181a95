// The only answers that hold a secret: after an endpoint was made, and after its secret was
// replaced. They say how a receiver verifies with it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { MemberCall, PortalContext } from '../../context.ts'
import { Copyable, Heading } from '#http/html/parts.tsx'
import type { Endpoint } from './list.tsx'

/** A file of its own, so that a test runs what a page tells its reader to copy. */
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
      <Copyable label="The secret" text={endpoint.secret ?? ''} />
      <section class="part">
        <h2>Verify with it</h2>
        <p>
          Every delivery has a header <code>Service-Signature</code>. The whole secret, with its
          beginning <code>whsec_</code>, is the key.
        </p>
        <Copyable label="Verification in Node" text={verification} />
        <p>
          <a href={`${site.url}/docs/webhooks`}>Receivers for Express, Next, Python and others</a>
        </p>
      </section>
      <p class="actions">
        <a class="button" href={call.pathOf('webhook', { id: endpoint.id })}>
          I have stored it
        </a>
      </p>
    </>
  ),
})
