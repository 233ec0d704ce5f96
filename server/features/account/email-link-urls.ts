/** Puts the links of letters together. */
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../app-context.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'

/** Adds to a URL's own query. */
export function appendUrlQuery(url: URL | string, query: Record<string, string>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value)
  return link.href
}

/** What the link of a letter carries. */
export type EmailLinkProof = { userId: string; secret: string }

/** The web's screens that letters lead to; each of them only shows a button, because mail scanners open links. */
const letterScreens = {
  recovery: '/recovery/new',
  'magic-url': '/sign-in/link',
  verification: '/verify',
  'email-change': '/verify',
  'email-undo': '/email-undo',
} as const

/** Builds the link of a letter to the screen of the product's own web. */
export const buildWebEmailLink = (
  request: FastifyRequest,
  context: AppContext,
  kind: keyof typeof letterScreens,
  { userId, secret }: EmailLinkProof,
): string =>
  appendUrlQuery(`${getPublicUrlForRequest(request, context)}${letterScreens[kind]}`, { userId, secret })

/** Builds the link of a letter to the page that the server itself renders, for clients without such a screen. */
export const buildServerEmailLink = (
  request: FastifyRequest,
  context: AppContext,
  kind: keyof typeof letterScreens,
  { userId, secret }: EmailLinkProof,
): string => appendUrlQuery(`${getPublicUrlForRequest(request, context)}/v1/auth/${kind}`, { userId, secret })
