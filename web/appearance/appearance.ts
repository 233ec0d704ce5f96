import { appearanceStorageKey } from './storage-key.ts'

/**
 * The appearance of the app on this device: theme, text size, motion and links. It is kept after signing out. Each
 * choice is an attribute of the root element.
 */
export type Appearance = {
  /** By default, the system's theme applies. */
  theme?: 'light' | 'dark'
  /** The text size as a percentage of the browser's text size. */
  text?: '112' | '125' | '150'
  /** Reduces motion even if the system allows motion. */
  motion?: 'reduced'
  links?: 'underlined'
}

/** Returns an empty object if the browser has stored nothing. */
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

/**
 * Applies the theme to the browser's own bars. The page has two theme colours, first the light one and then the dark
 * one.
 */
export function applyThemeColor({ theme }: Appearance): void {
  document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]').forEach((color, index) => {
    const own = index === 0 ? 'light' : 'dark'
    color.media = theme ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  })
}

/** Saves and applies a choice. Other tabs apply the choice when they load. */
export function saveAppearance(appearance: Appearance): void {
  applyAppearance(appearance)
  applyThemeColor(appearance)
  try {
    localStorage.setItem(appearanceStorageKey, JSON.stringify(appearance))
  } catch {
    // If the browser cannot store the choice, it applies until the member leaves the page.
  }
}
