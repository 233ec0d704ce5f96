import type { Device } from '#contract/account/account-settings.ts'
import { en } from '#contract/language.ts'

/** @param code ISO 3166-1 */
export const formatCountry = (code: string): string =>
  new Intl.DisplayNames([en('en', 'es')], { type: 'region' }).of(code) ?? code

export function formatDeviceAndCountry(of: Pick<Device, 'browser' | 'system' | 'country'>): string {
  const device = formatDeviceDescription(of)
  return of.country === null ? device : `${device}, ${formatCountry(of.country)}`
}

/** Returns 'Firefox on Windows', or the known parts of it. */
export function formatDeviceDescription({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return en(`${browser} on ${system}`, `${browser} en ${system}`)
  if (system) return en(`A browser on ${system}`, `Un navegador en ${system}`)
  return browser ?? en('An app', 'Una aplicación')
}
