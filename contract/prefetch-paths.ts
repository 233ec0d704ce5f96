/**
 * What a page will ask for first, by its address. The server names it beside the page, so that the browser asks while the
 * scripts are on their way; the web asks for the same as soon as it runs and finds the answers there. The two must be the
 * same to the letter, and what the screens' operations make of it: tests compare.
 */
export const sessionPrefetchPath = '/me/session'
export const memberPrefetchPath = '/me'

const firstOf: readonly [page: RegExp, addresses: readonly string[]][] = [
  [/^\/$/, ['/feed', '/people?limit=10&who=others']],
  [/^\/(explore|saved|groups)$/, ['/$1']],
  [/^\/all-users$/, ['/people']],
  [/^\/chat$/, ['/conversations']],
  [/^\/(posts\/\w+)$/, ['/$1']],
  [/^\/(groups\/(?!create$)\w+)$/, ['/$1']],
  [/^\/profile\/(\w+)$/, ['/people/$1', '/people/$1/posts']],
]

/** @returns addresses under `/v1`, without session and account; empty for a page that is not known */
export function listPagePrefetchPaths(pathname: string): string[] {
  for (const [page, addresses] of firstOf)
    if (page.test(pathname)) return addresses.map((address) => pathname.replace(page, address))
  return []
}
