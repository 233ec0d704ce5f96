import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../app-context.ts'
import { getPublicUrlForRequest } from '../../net/public-url.ts'

export function appendUrlQuery(url: URL | string, query: Record<string, string>): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(query)) link.searchParams.set(name, value)
  return link.href
}

export type EmailLinkParameters = { userId: string; secret: string }

/** Each of these screens shows only a button, because mail scanners open links. */
const screensByEmailLink = {
  recovery: '/recovery/new',
  'magic-url': '/sign-in/link',
  verification: '/verify',
  'email-change': '/verify',
  'email-undo': '/email-undo',
  application: '/sign-up/confirm',
} as const

export const buildWebEmailLink = (
  request: FastifyRequest,
  context: AppContext,
  kind: keyof typeof screensByEmailLink,
  { userId, secret }: EmailLinkParameters,
): string =>
  appendUrlQuery(`${getPublicUrlForRequest(request, context)}${screensByEmailLink[kind]}`, { userId, secret })

/** Links to a page of the server, for clients without the screens of the web app. */
export const buildServerEmailLink = (
  request: FastifyRequest,
  context: AppContext,
  kind: keyof typeof screensByEmailLink,
  { userId, secret }: EmailLinkParameters,
): string => appendUrlQuery(`${getPublicUrlForRequest(request, context)}/v1/auth/${kind}`, { userId, secret })
