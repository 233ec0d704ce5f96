import type { Device } from '#contract/account/account-settings.ts'
import { en } from '#contract/language.ts'

/** Names a country in the reader's language. @param code as ISO 3166-1 has it */
export const formatCountry = (code: string): string =>
  new Intl.DisplayNames([en('en', 'es')], { type: 'region' }).of(code) ?? code

/** Names where something was done with what, as far as both are known: 'Firefox on Windows, Mexico'. */
export function formatDeviceAndCountry(of: Pick<Device, 'browser' | 'system' | 'country'>): string {
  const device = formatDeviceDescription(of)
  return of.country === null ? device : `${device}, ${formatCountry(of.country)}`
}

/** Names what something was done with: 'Firefox on Windows'. */
export function formatDeviceDescription({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return en(`${browser} on ${system}`, `${browser} en ${system}`)
  if (system) return en(`A browser on ${system}`, `Un navegador en ${system}`)
  return browser ?? en('An app', 'Una aplicación')
}
