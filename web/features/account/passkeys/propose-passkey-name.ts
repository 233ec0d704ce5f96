import { en } from '#contract/language.ts'

const devices: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

type UserAgentData = { getHighEntropyValues(hints: string[]): Promise<{ model?: string }> }

/** Proposes a name such as 'Pixel of Lucía'. */
export async function proposePasskeyName(memberName: string): Promise<string> {
  const { userAgentData, userAgent } = navigator as Navigator & { userAgentData?: UserAgentData }
  const highEntropyValues = await userAgentData?.getHighEntropyValues(['model']).catch(() => undefined)
  const device =
    highEntropyValues?.model ||
    devices.find(([system]) => system.test(userAgent))?.[1] ||
    en('Passkey', 'Llave de acceso')
  const [first = ''] = memberName.trim().split(/\s+/)
  return en(
    `${device.slice(0, 24)} of ${first.slice(0, 32)}`,
    `${device.slice(0, 24)} de ${first.slice(0, 32)}`,
  )
}
