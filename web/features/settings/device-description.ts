import type { Device } from '#contract/account-settings.ts'
import { en } from '#contract/language.ts'

/** Names what something was done with: 'Firefox on Windows'. */
export function formatDeviceDescription({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return en(`${browser} on ${system}`, `${browser} en ${system}`)
  if (system) return en(`A browser on ${system}`, `Un navegador en ${system}`)
  return browser ?? en('An app', 'Una aplicación')
}
