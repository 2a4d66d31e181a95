// The browser's name, for a person's session list. Order matters, because most browsers' headers
// also name other browsers.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgi?A?o?S?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (names: readonly (readonly [RegExp, string])[], agent: string) =>
  names.find(([form]) => form.test(agent))?.[1]

export function browserNameOf(agent: string | null): string {
  const browser = nameIn(browsers, agent ?? '')
  const system = nameIn(systems, agent ?? '')
  if (browser === undefined) return system === undefined ? 'A browser' : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
