// The storage of the cluster on this machine: the server of the tests, with TLS. Elsewhere it is a
// bucket of a provider.
import { openS3 } from '#clinical/testing/s3-server.ts'
import { places, ports, tls } from '../values.ts'

const bucket = await Bun.file(`${places.config}/storage.json`).json()
openS3(`${places.data}/objects`, bucket, { hostname: '0.0.0.0', port: ports.storage, tls })
