// Facts about files that rules use.

export type File = { path: string; text: string }
export type Rule = { name: string; check: (file: File, all: File[]) => string[] }

export const isTest = (file: string) => /\.(test|suite|spec)\.tsx?$/.test(file)
export const isCode = (file: string) => /\.(tsx?|mjs|astro)$/.test(file)

/** Test support, which only tests, other test support and benchmarks may import. */
export const isTesting = (file: string) => /(^|\/)testing\//.test(file)
export const isSupported = (file: string) =>
  isTest(file) || isTesting(file) || /^(bench|e2e|deploy)\//.test(file)

/** Every matching line, as `file:line what to do`. */
export function lines({ path: name, text }: File, pattern: RegExp, fix: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1} ${fix}`] : []))
}
