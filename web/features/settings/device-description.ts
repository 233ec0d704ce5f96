import type { Device } from '#contract/account-settings.ts'

/** Names what something was done with: 'Firefox on Windows'. */
export function formatDeviceDescription({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`
  if (system) return `A browser on ${system}`
  return browser ?? 'An app'
}
