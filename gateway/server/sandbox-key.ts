// Gives the local sandbox's key to "Try it" on pages that this gateway serves. Mounted only if no
// other machine can reach the gateway.
import { Problem } from '#contract/problems.ts'
import { isLocalRequest } from '#http/local-request.ts'
import { writeProblem } from '#http/problem-formats.ts'
import type { PlainEndpoint } from '#http/router.ts'
import { type Config, isPrivate } from '../settings/config.ts'
import type { SandboxAccess } from './context.ts'

/** No header permits another origin to read the key. */
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

/** Returns no endpoints if other machines can reach the gateway, or if there is no sandbox. */
export function sandboxEndpoints(
  config: Config,
  sandbox: Pick<SandboxAccess, 'key'> | undefined,
): PlainEndpoint[] {
  return sandbox !== undefined && isPrivate(config) ? [keyEndpoint(sandbox)] : []
}

const keyEndpoint = ({ key }: Pick<SandboxAccess, 'key'>): PlainEndpoint => ({
  path: '/dev/sandbox',
  methods: ['GET'],
  answer: request =>
    isLocalRequest(request, ['page']) ? Response.json({ key }, { headers }) : refusal(),
})

function refusal(): Response {
  const problem = new Problem('not_found', {
    detail: "Only this server's pages get the key, in a browser on this machine.",
    hint: 'Read it from .data/dev.json.',
  })
  const call = {
    surface: 'site',
    base: '',
    requestId: null,
    rpcId: null,
    accept: null,
    method: 'GET',
  } as const
  const { status, body, type } = writeProblem(problem, 'problem', call)
  return new Response(body, { status, headers: { ...headers, 'content-type': type } })
}
