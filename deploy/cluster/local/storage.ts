// The cluster's storage on this machine: the test server, with TLS. Other deployments use a
// provider's bucket.
import { openS3 } from '#clinical/testing/s3-server.ts'
import { places, ports, tls } from '../values.ts'

const bucket = await Bun.file(`${places.config}/storage.json`).json()
openS3(`${places.data}/objects`, bucket, { hostname: '0.0.0.0', port: ports.storage, tls })
