import { UAParser } from 'ua-parser-js'

export type ClientDescription = {
  browser: string | null
  system: string | null
  kind: 'computer' | 'phone' | 'tablet' | 'other'
}

const kinds: Partial<Record<string, ClientDescription['kind']>> = { mobile: 'phone', tablet: 'tablet' }

const systems: Record<string, string> = { 'Mac OS': 'Mac', macOS: 'Mac', 'Chromium OS': 'ChromeOS' }

const desktops = /^(Windows|Mac|Linux|ChromeOS|Ubuntu|Debian|Fedora)$/

export function describeUserAgent(userAgent: string): ClientDescription {
  const { browser, os, device } = new UAParser(userAgent).getResult()
  const name = os.name === 'iOS' ? (device.model ?? 'iOS') : (systems[os.name ?? ''] ?? os.name ?? null)
  return {
    browser: browser.name?.replace(/^Mobile | (Headless|WebView)$/g, '') ?? null,
    system: name,
    kind: kinds[device.type ?? ''] ?? (desktops.test(name ?? '') ? 'computer' : 'other'),
  }
}
