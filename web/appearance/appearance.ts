import { appearanceStorageKey } from './storage-key.ts'

/**
 * This device's appearance: theme, text size, motion, links. Kept after signing out. Each choice is an
 * attribute of the root element.
 */
export type Appearance = {
  /** Defaults to the system's. */
  theme?: 'light' | 'dark'
  /** Percent of the browser's text size. */
  text?: '112' | '125' | '150'
  /** Even if the system allows motion. */
  motion?: 'reduced'
  links?: 'underlined'
}

/** Empty if the browser stores nothing. */
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

/** Applies the theme to the browser's own bars, through the page's two theme colours, light first. */
export function applyThemeColor({ theme }: Appearance): void {
  document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]').forEach((color, index) => {
    const own = index === 0 ? 'light' : 'dark'
    color.media = theme ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  })
}

/** Saves and applies a choice; other tabs apply it when they load. */
export function saveAppearance(appearance: Appearance): void {
  applyAppearance(appearance)
  applyThemeColor(appearance)
  try {
    localStorage.setItem(appearanceStorageKey, JSON.stringify(appearance))
  } catch {
    // Without storage, the choice holds until the page is left.
  }
}
