// The same request by curl, to a machine of the reader's.
import { Copyable } from '#http/html/parts.tsx'
import type { Delivery } from '../webhooks/deliveries.tsx'

/** A word of a shell, whatever it holds. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curlOf(url: string, headers: Readonly<Record<string, string | null>>, body: string) {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return [`curl -i ${quoted(url)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ')
}

const local = 'http://localhost:8080/'

export const Repeat = ({ delivery: { headers, body, url } }: { delivery: Delivery }) => (
  <section class="part">
    <h2>Send it yourself</h2>
    {headers === null || body === null ? (
      <p class="quiet">
        {url === null
          ? 'The endpoint was deleted, and its secret with it.'
          : 'The event is gone, so there is nothing to send.'}
      </p>
    ) : (
      <>
        <p>
          The same request to your machine, signed now with the endpoint’s secret: a receiver
          accepts it for five minutes. Open this page again for a new signature.
        </p>
        <Copyable label="The delivery with curl" text={curlOf(local, headers, body)} />
      </>
    )}
  </section>
)
