import { appearanceStorageKey } from './storage-key.ts'

/** The choices apply to this device, also after signing out. */
export type Appearance = {
  theme?: 'light' | 'dark'
  /** A percentage of the browser's text size. */
  text?: '112' | '125' | '150'
  motion?: 'reduced'
  links?: 'underlined'
}

export function readAppearance(): Appearance {
  try {
    return JSON.parse(localStorage.getItem(appearanceStorageKey) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

export function applyAppearance(appearance: Appearance): void {
  const { dataset, style } = document.documentElement
  for (const choice of ['theme', 'text', 'motion', 'links']) delete dataset[choice]
  Object.assign(dataset, appearance)
  style.colorScheme = appearance.theme ?? ''
}

/** Colours the browser's own bars. The page's light theme colour precedes the dark one. */
export function applyThemeColor({ theme }: Appearance): void {
  document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]').forEach((color, index) => {
    const own = index === 0 ? 'light' : 'dark'
    color.media = theme ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  })
}

export function saveAppearance(appearance: Appearance): void {
  applyAppearance(appearance)
  applyThemeColor(appearance)
  try {
    localStorage.setItem(appearanceStorageKey, JSON.stringify(appearance))
  } catch {
    // Without storage, the choice applies until the member leaves the page.
  }
}
