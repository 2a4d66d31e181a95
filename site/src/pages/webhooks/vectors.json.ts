import vectors from '#contract/vectors/webhook-signatures.json'

/** The vectors that our own signing is tested with. */
export const GET = () => new Response(`${JSON.stringify(vectors, null, 2)}\n`)
