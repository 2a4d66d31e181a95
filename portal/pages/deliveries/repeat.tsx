// The delivery's request as a curl command to the reader's machine.
import { Copyable } from '#http/html/parts.tsx'
import type { Delivery } from '../webhooks/deliveries.tsx'

/** Quotes any text as one shell word. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curlOf(url: string, headers: Readonly<Record<string, string | null>>, body: string) {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return [`curl -i ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ')
}

const local = 'http://localhost:8080/'

export const Repeat = ({ delivery: { headers, body, url } }: { delivery: Delivery }) => (
  <section class="part">
    <h2>Send it to your machine</h2>
    {headers === null || body === null ? (
      <p class="quiet">
        {url === null ? 'The endpoint and its secret were deleted.' : 'The event was deleted.'}
      </p>
    ) : (
      <>
        <p>
          The same request, signed now with the endpoint’s secret. The signature is valid for five
          minutes; reload the page for a new one.
        </p>
        <Copyable label="Resend with curl" text={curlOf(local, headers, body)} />
      </>
    )}
  </section>
)
