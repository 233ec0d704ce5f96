/**
 * What the first page will ask for, asked with the page's own first request: the screen's code is still on its way then.
 * The addresses are those that the screens' operations make; a test compares them.
 */
import { anticipate } from './api.ts'
import { paths } from './paths.ts'

export const memberAddress = '/me'
export const homeAddresses: readonly string[] = ['/feed', '/people?limit=10&who=others']

export function askAhead(pathname: string): void {
  anticipate(memberAddress)
  if (pathname === paths.home()) for (const address of homeAddresses) anticipate(address)
}
