/** Names and codes are those of the Matomo device detector. */
import { UAParser } from 'ua-parser-js'

export type ParsedUserAgent = {
  osCode: string
  osName: string
  osVersion: string
  clientType: string
  clientCode: string
  clientName: string
  clientVersion: string
  clientEngine: string
  clientEngineVersion: string
  deviceName: string
  deviceBrand: string
  deviceModel: string
}

const browsers: Record<string, readonly [name: string, code: string]> = {
  Chrome: ['Chrome', 'CH'],
  'Mobile Chrome': ['Chrome Mobile', 'CM'],
  'Chrome WebView': ['Chrome Webview', 'CV'],
  'Chrome Headless': ['Headless Chrome', 'HC'],
  Chromium: ['Chromium', 'CR'],
  Firefox: ['Firefox', 'FF'],
  'Mobile Firefox': ['Firefox Mobile', 'FM'],
  Safari: ['Safari', 'SF'],
  'Mobile Safari': ['Mobile Safari', 'MF'],
  Edge: ['Microsoft Edge', 'PS'],
  Opera: ['Opera', 'OP'],
  'Opera Mobi': ['Opera Mobile', 'OM'],
  'Opera Mini': ['Opera Mini', 'OI'],
  'Samsung Internet': ['Samsung Browser', 'SB'],
  'MIUI Browser': ['MIUI Browser', 'MU'],
  'Huawei Browser': ['Huawei Browser', 'HU'],
  Vivaldi: ['Vivaldi', 'VI'],
  Brave: ['Brave', 'BR'],
  DuckDuckGo: ['DuckDuckGo Privacy Browser', 'DD'],
  'UC Browser': ['UC Browser', 'UC'],
  Yandex: ['Yandex Browser', 'YA'],
  IE: ['Internet Explorer', 'IE'],
  IEMobile: ['IE Mobile', 'IM'],
}

const systems: Record<string, readonly [name: string, code: string]> = {
  Windows: ['Windows', 'WIN'],
  'Windows Phone': ['Windows Phone', 'WPH'],
  'Mac OS': ['Mac', 'MAC'],
  iOS: ['iOS', 'IOS'],
  Android: ['Android', 'AND'],
  'Android-x86': ['Android', 'AND'],
  HarmonyOS: ['HarmonyOS', 'HAR'],
  Linux: ['GNU/Linux', 'LIN'],
  Ubuntu: ['Ubuntu', 'UBT'],
  Debian: ['Debian', 'DEB'],
  Fedora: ['Fedora', 'FED'],
  'Chromium OS': ['Chrome OS', 'COS'],
  'Chrome OS': ['Chrome OS', 'COS'],
  KAIOS: ['KaiOS', 'KOS'],
}

const devices: Record<string, string> = {
  mobile: 'smartphone',
  tablet: 'tablet',
  console: 'console',
  smarttv: 'tv',
  wearable: 'wearable',
}

const desktops = new Set(['WIN', 'MAC', 'LIN', 'UBT', 'DEB', 'FED', 'COS'])

const library = /^([A-Za-z][\w .-]{0,40})\/(\d[\w.]{0,20})\b/

export function parseUserAgent(userAgent: string): ParsedUserAgent {
  const { browser, engine, os, device } = new UAParser(userAgent).getResult()
  const [osName, osCode] = systems[os.name ?? ''] ?? [os.name ?? '', '']
  const named = browser.name ? (browsers[browser.name] ?? [browser.name, '']) : null
  const bare = named ? null : library.exec(userAgent)
  const deviceName = devices[device.type ?? ''] ?? (desktops.has(osCode) ? 'desktop' : '')
  return {
    osCode,
    osName,
    osVersion: os.version ?? '',
    clientType: named ? 'browser' : bare ? 'library' : '',
    clientCode: named?.[1] ?? '',
    clientName: named?.[0] ?? bare?.[1] ?? '',
    clientVersion: named ? majorAndMinor(browser.version ?? '') : (bare?.[2] ?? ''),
    clientEngine: engine.name ?? '',
    clientEngineVersion: engine.version ?? '',
    deviceName,
    // The parser guesses a brand for Macs.
    deviceBrand: deviceName === 'desktop' ? '' : (device.vendor ?? ''),
    deviceModel: deviceName === 'desktop' ? '' : (device.model ?? ''),
  }
}

const majorAndMinor = (version: string) => version.split('.').slice(0, 2).join('.')
