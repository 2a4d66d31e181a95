// The reader's chosen theme. Each page's head sets it before the first paint.
import { store, stored } from './storage.ts'

const root = document.documentElement
const colors = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
const [light = '', dark = ''] = colors.map(({ content }) => content)

export function watchTheme(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[name=theme]')]
  const show = (theme: string) => {
    root.dataset['theme'] = theme
    for (const input of inputs) input.checked = input.value === theme
    const [byDay, byNight] = { light: [light, light], dark: [dark, dark] }[theme] ?? [light, dark]
    for (const [at, meta] of colors.entries()) meta.content = (at === 0 ? byDay : byNight) ?? ''
  }
  show(root.dataset['theme'] ?? 'system')
  for (const input of inputs) {
    input.addEventListener('change', () => {
      show(input.value)
      store('local', 'theme', input.value)
    })
  }
  // Updates other tabs, and pages that the browser kept in memory while the theme changed.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'theme') show(newValue ?? 'system')
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show(stored('local', 'theme') ?? 'system')
  })
}
