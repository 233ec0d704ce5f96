/**
 * Lists the first requests of each page by its path. The server preloads them while scripts load, and the web uses the
 * responses. The paths must match those that server, web and screens use exactly, which tests check.
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

/** @returns paths under `/v1` for requests other than the session and account; empty for an unknown page */
export function listPagePrefetchPaths(pathname: string): string[] {
  for (const [page, addresses] of firstOf)
    if (page.test(pathname)) return addresses.map((address) => pathname.replace(page, address))
  return []
}
