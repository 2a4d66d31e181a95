// Reads a problem response received as raw text.

export const statusOf = (text: string) => Number(text.split(' ')[1])
export const bodyOf = (text: string): Record<string, unknown> =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
export const codeOf = (text: string) => `${statusOf(text)} ${String(bodyOf(text)['code'])}`
