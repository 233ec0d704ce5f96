import type { Page } from '@playwright/test'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient } from '#api-client/member-client.ts'
import type { CachingProxy } from '#scripts/harness/caching-proxy.ts'

/** Milliseconds between requests, so that the machine stays idle. */
const betweenLooks = 50

/** Since 1970, more precise than `Date.now`. */
export const epochMilliseconds = () => performance.timeOrigin + performance.now()
export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const listPictureUrls = (id: string): string[] => [
  `/v1/files/${id}/content?width=640`,
  `/v1/files/${id}/content`,
  `/v1/storage/buckets/media/files/${id}/view`,
  `/v1/storage/buckets/media/files/${id}/preview?width=400`,
  `/v1/storage/buckets/media/files/${id}/download`,
]

type Look = [asked: number, answered: number, status: number]

/** @returns the time after which all requests were refused @throws if no request succeeded before */
function lastShown(looks: readonly Look[], answered: number): number {
  const shown = looks.filter(([, , status]) => status !== 404)
  if (!shown.some(([asked]) => asked < answered)) throw new Error('The pictures were never shown.')
  const late = shown.filter(([asked]) => asked > answered).map(([, came]) => came)
  const firstRefusal = looks.find(([asked, , status]) => asked > answered && status === 404)?.[1]
  return Math.max(firstRefusal ?? Number.POSITIVE_INFINITY, ...late)
}

export async function pollPicturesInPage(page: Page, addresses: readonly string[]) {
  const looks = page.evaluate(
    async ([addresses, between]) => {
      const looks: Look[] = []
      const clock = () => performance.timeOrigin + performance.now()
      Object.assign(globalThis, { asking: true })
      while ((globalThis as { asking?: boolean }).asking) {
        for (const address of addresses) {
          const asked = clock()
          const answer = await fetch(address)
          await answer.arrayBuffer()
          looks.push([asked, clock(), answer.status])
          await new Promise((resolve) => setTimeout(resolve, between))
        }
      }
      return looks
    },
    [addresses, betweenLooks] as const,
  )
  await pause(addresses.length * 4 * betweenLooks)
  return {
    async refused(answered: number): Promise<number> {
      await page.evaluate(() => void Object.assign(globalThis, { asking: false }))
      return lastShown(await looks, answered)
    },
  }
}

/** Every other request includes the known ETag, as from a client without a cache. */
export function pollPicturesThroughProxy(
  reader: MemberClient,
  proxy: CachingProxy,
  addresses: readonly string[],
) {
  const client = createApiClient(createHttpTransport(proxy.url), reader.cookie)
  const tags = new Map<string, string>()
  let asking = true
  const ask = async () => {
    const looks: Look[] = []
    while (asking) {
      for (const address of addresses) {
        const tag = tags.get(address)
        const asked = epochMilliseconds()
        const { status, headers } = await client.request(
          'GET',
          address,
          undefined,
          tag && looks.length % 2 ? { 'if-none-match': tag } : {},
        )
        looks.push([asked, epochMilliseconds(), status])
        if (headers.etag) tags.set(address, headers.etag)
        await pause(betweenLooks)
      }
    }
    return looks
  }
  const looks = ask()
  return {
    async refused(answered: number): Promise<number> {
      asking = false
      return lastShown(await looks, answered)
    },
  }
}
