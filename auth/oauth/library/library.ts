// oidc-provider, without its notice that it supports only Node.js: this folder's tests verify
// that it works on Bun.

const isNotice = (text: unknown) =>
  typeof text === 'string' && text.includes('oidc-provider WARNING: Unsupported runtime')

async function load() {
  const { warn } = console
  console.warn = (...text: unknown[]) => {
    if (!isNotice(text[0])) warn(...text)
  }
  return import('oidc-provider').finally(() => {
    console.warn = warn
  })
}

export const { Provider, errors, interactionPolicy } = await load()
