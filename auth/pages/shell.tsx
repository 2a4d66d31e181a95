// The document around the content of a page.
import type { VNode } from 'preact'
import { Document, type Site, Wordmark } from '#http/html/document.tsx'
import { scriptPaths, stylePath } from './assets.ts'

export type PageContent = {
  readonly title: string
  readonly content: VNode
  /** The email address of who is signed in. */
  readonly signedIn?: string | undefined
  readonly status?: number
  /** Addresses of other origins to which the answer to a form may redirect. */
  readonly formTargets?: readonly string[]
  readonly cookies?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The form that signs out, in the header of the page. */
  readonly signOut?: VNode
  /** Whether the page runs the scripts of these pages. */
  readonly scripts?: boolean
}

export const documentOf = (site: Site, given: PageContent): VNode => (
  <Document
    title={given.title}
    site={site}
    assets={{ stylePath, scriptPaths: given.scripts === true ? scriptPaths : [] }}
  >
    <header class="bar">
      <div>
        <Wordmark site={site} />
        {given.signedIn !== undefined && (
          <div class="who">
            <a class="who-email" href="/account">
              {given.signedIn}
            </a>
            {given.signOut}
          </div>
        )}
      </div>
    </header>
    <main>{given.content}</main>
  </Document>
)
