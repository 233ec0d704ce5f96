import { appearanceStorageKey } from './storage-key.ts'

/**
 * Defines how the pages look on this device: theme, size of text, motion, links. Signing out keeps it, since it belongs to the device.
 * Each choice is an attribute of the page's root, which the styles select by; what is not chosen has none.
 */
export type Appearance = {
  /** Else as the system has it. */
  theme?: 'light' | 'dark'
  /** Percent of the size that the browser chose. */
  text?: '112' | '125' | '150'
  /** Also where the system asks for none. */
  motion?: 'reduced'
  links?: 'underlined'
}

/** Reads what was chosen on this device; empty where the browser stores nothing. */
export function readAppearance(): Appearance {
  try {
    return JSON.parse(localStorage.getItem(appearanceStorageKey) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Applies the choices to the page's root. */
export function applyAppearance(appearance: Appearance): void {
  const { dataset, style } = document.documentElement
  for (const choice of Object.keys(dataset)) delete dataset[choice]
  Object.assign(dataset, appearance)
  style.colorScheme = appearance.theme ?? ''
}

/** Makes the browser's own bars follow the theme, by the page's two colours for them, light before dark. */
export function applyThemeColor({ theme }: Appearance): void {
  document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]').forEach((color, index) => {
    const own = index === 0 ? 'light' : 'dark'
    color.media = theme ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  })
}

/** Saves and applies a choice, which other tabs apply when they load. */
export function saveAppearance(appearance: Appearance): void {
  applyAppearance(appearance)
  applyThemeColor(appearance)
  try {
    localStorage.setItem(appearanceStorageKey, JSON.stringify(appearance))
  } catch {
    // The browser keeps nothing: the choice holds until the page is left.
  }
}
