import vectors from '#contract/vectors/webhook-signatures.json'

/** The vectors that test our own signing. */
export const GET = () => new Response(`${JSON.stringify(vectors, null, 2)}\n`)
