import { askedFirst, memberAddress } from '#contract/ahead.ts'
import { anticipate } from './api.ts'

/**
 * Asks for what the first page will ask for: its code is still on its way then.
 * @returns when all is answered, whichever way
 */
export async function askAhead(pathname: string): Promise<void> {
  await Promise.all([memberAddress, ...askedFirst(pathname)].map((address) => anticipate(address)))
}
