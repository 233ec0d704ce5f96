import { appearanceStorageKey } from './storage-key.ts'

/**
 * Reads, applies and keeps how the pages look on this device: theme, size of text, motion, links. It is the device's, so signing out
 * keeps it. Choices are attributes of the page's root, which the styles know; what is not chosen has none.
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

/** What was chosen on this device; nothing where the browser keeps nothing. */
export function readAppearance(): Appearance {
  try {
    return JSON.parse(localStorage.getItem(appearanceStorageKey) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Shows the page as chosen. */
export function applyAppearance(appearance: Appearance): void {
  const { dataset, style } = document.documentElement
  for (const choice of Object.keys(dataset)) delete dataset[choice]
  Object.assign(dataset, appearance)
  style.colorScheme = appearance.theme ?? ''
}

/** Has the browser's own bars follow the theme, by the two colours that the page has for them, light before dark. */
export function applyThemeColor({ theme }: Appearance): void {
  document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]').forEach((color, index) => {
    const own = index === 0 ? 'light' : 'dark'
    color.media = theme ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  })
}

/** Applies a choice at once and keeps it for the next time, and for the other tabs when they load. */
export function chooseAppearance(appearance: Appearance): void {
  applyAppearance(appearance)
  applyThemeColor(appearance)
  try {
    localStorage.setItem(appearanceStorageKey, JSON.stringify(appearance))
  } catch {
    // The browser keeps nothing: the choice holds until the page is left.
  }
}
