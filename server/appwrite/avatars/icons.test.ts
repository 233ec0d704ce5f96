import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { browserIcons, countryFlagCodes, creditCardIcons } from '#server/images/drawing/icon-codes.ts'
import { createFakeBrowserWindow } from '../../../tests/appwrite/sdk/fake-browser-window.ts'
import { loadNewestSdk } from '../../../tests/appwrite/sdk/load-sdk.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const get = (path: string, who: Pick<MemberClient, 'request'> = ana) =>
  who.request<{ type: string; message: string; field?: string }>('GET', `/v1/avatars/${path}`)

describe.each(['browsers/ff', 'credit-cards/visa', 'credit-cards/naranja', 'flags/mx', 'flags/MX'])(
  '%s',
  (path) => {
    test('SDK-10 the icon is a square PNG, or has the requested size', async () => {
      const { status, headers, raw } = await get(path)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'private, max-age=2592000',
        'cross-origin-resource-policy': 'same-site',
      })
      expect(await sharp(raw).metadata()).toMatchObject({ format: 'png', width: 100, height: 100 })
      const wide = await get(`${path}?width=300&height=120&quality=80&project=juntas`)
      expect(await sharp(wide.raw).metadata()).toMatchObject({ width: 300, height: 120 })
      const { channels } = await sharp(raw).stats()
      expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20)
    })

    test('FI12 only members can get the icon', async () => {
      const { status, body } = await get(path, w.visitor)
      expect([status, body.type]).toEqual([401, 'general_unauthorized_scope'])
    })
  },
)

test('the flag of Mexico is green, white and red', async () => {
  const { raw } = await get('flags/mx?width=90&height=90')
  const { data } = await sharp(raw).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number) => [...data.subarray((5 * 90 + x) * 3, (5 * 90 + x) * 3 + 3)]
  const [[, green = 0] = [], white, [red = 0] = []] = [at(5), at(45), at(85)]
  expect([green > 80, white, red > 180]).toEqual([true, [255, 255, 255], true])
})

test.each([
  'browsers/xx',
  'credit-cards/paypal',
  'flags/zz',
  'flags/..%2f..%2fpackage',
  'flags/mx?width=2001',
  'flags/mx?quality=101',
])('%s is refused with an error that names the parameter', async (path) => {
  const { status, body } = await get(path)
  expect([status, body.type]).toEqual([400, 'general_argument_invalid'])
  expect(body.message).toMatch(/^Invalid `(code|width|quality)` param/)
})

test.each(['browsers/', 'credit-cards/', 'flags/', 'flags/?width=20'])(
  'FI12 %s without a code is refused as a missing parameter',
  async (path) => {
    const { status, body } = await get(path)
    expect([status, body.type, body.message]).toEqual([
      400,
      'general_argument_invalid',
      'Param "code" is not optional.',
    ])
  },
)

test('the server knows every icon code of the newest official SDK', () => {
  const { Browser, CreditCard, Flag } = loadNewestSdk(
    createFakeBrowserWindow('http://localhost', 'http://localhost').window,
  )
  const known = [...browserIcons.keys(), ...creditCardIcons.keys(), ...countryFlagCodes]
  const codes = [Browser, CreditCard, Flag].flatMap((each) => Object.values<string>(each))
  expect(codes.length).toBeGreaterThan(220)
  expect(codes.filter((code) => !known.includes(code))).toEqual([])
})
