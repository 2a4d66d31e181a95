// A login never contacts another server, even if the API's metadata is malicious or broken.
import { expect, test } from 'bun:test'
import { discover, type Fetch } from './oauth.ts'

const api = 'https://api.example.com'
const issuer = 'https://auth.example.com'
const resourceAt = `${api}/.well-known/oauth-protected-resource`
const serverAt = (origin: string) => `${origin}/.well-known/oauth-authorization-server`
const endpoints = {
  registration_endpoint: `${issuer}/register`,
  device_authorization_endpoint: `${issuer}/device`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
}
const resource = { resource: api, authorization_servers: [issuer] }
const server = { issuer, ...endpoints }

type Documents = Readonly<Record<string, object>>
const good: Documents = { [resourceAt]: resource, [serverAt(issuer)]: server }
const serve =
  (documents: Documents): Fetch =>
  url =>
    Promise.resolve(
      url in documents ? Response.json(documents[url]) : new Response('', { status: 404 }),
    )

test('discovery: finds the endpoints of the server that the API names', async () => {
  expect(await discover(serve(good), api)).toMatchObject({
    issuer,
    resource: api,
    tokenEndpoint: endpoints.token_endpoint,
  })
})

test('discovery: a platform on this machine needs no https', async () => {
  const [local, auth] = ['http://localhost:3000', 'http://127.0.0.1:3001']
  const documents = {
    [`${local}/.well-known/oauth-protected-resource`]: {
      resource: local,
      authorization_servers: [auth],
    },
    [serverAt(auth)]: JSON.parse(JSON.stringify(server).replaceAll(issuer, auth)) as object,
  }
  expect(await discover(serve(documents), local)).toMatchObject({ tokenEndpoint: `${auth}/token` })
})

const eve = 'https://eve.example.com'
test.each<[what: string, documents: Documents]>([
  ['a foreign issuer', { [serverAt(issuer)]: { ...server, issuer: eve } }],
  ['a foreign resource', { [resourceAt]: { ...resource, resource: eve } }],
  ['no authorization server', { [resourceAt]: { resource: api } }],
  [
    'an issuer without TLS',
    {
      [resourceAt]: { ...resource, authorization_servers: ['http://auth.example.com'] },
      [serverAt('http://auth.example.com')]: { ...server, issuer: 'http://auth.example.com' },
    },
  ],
  ...Object.entries(endpoints).flatMap(([name, url]): [string, Documents][] => [
    [
      `${name} without TLS`,
      {
        [serverAt(issuer)]: { ...server, [name]: url.replace('https:', 'http:') },
      },
    ],
    [`no ${name}`, { [serverAt(issuer)]: { ...server, [name]: undefined } }],
  ]),
])('discovery refuses %s', async (_what, documents) => {
  await expect(discover(serve({ ...good, ...documents }), api)).rejects.toMatchObject({
    exit: 'unavailable',
  })
})
