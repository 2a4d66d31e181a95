// The loop as a Worker and in a page. One request runs the loop. Creates a client for each request,
// because a Worker can't use one request's I/O objects in another.
import { Svc, sdkVersion } from '@svc/sdk'
import { mockSvc } from '@svc/sdk/testing'
import { signWebhook, unwrap } from '@svc/sdk/webhooks'
import { loop } from './consult.mjs'

export default {
  async fetch(request, { SVC_API_KEY: apiKey, SVC_BASE_URL: baseUrl }) {
    const secret = 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b'
    const signed = await signWebhook({ event: { type: 'order.shipped.v1' }, secret })
    const received = new Request(request.url, { method: 'POST', ...signed })
    return Response.json({
      version: sdkVersion,
      real: await loop(
        new Svc({ apiKey, baseUrl, expectMode: 'test', dangerouslyAllowBrowser: true }),
      ),
      mock: await loop(mockSvc()),
      webhook: (await unwrap(received, secret)).type,
    })
  },
}
