/** Reads and stores a client's language. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import {
  isLanguageSet,
  type Language,
  type LanguageSet,
  languageCookieName,
  languageHeaderName,
  languages,
} from '#contract/language.ts'
import type { Config } from '../config.ts'

const maxAgeSeconds = 400 * 24 * 60 * 60

/** The set chosen in this browser; null for none or an unknown one. */
export function readLanguageCookie({ cookies }: Pick<FastifyRequest, 'cookies'>): LanguageSet | null {
  const given = cookies[languageCookieName]
  return isLanguageSet(given) ? given : null
}

/** Stores a set in the browser; scripts may read it. */
export function setLanguageCookie(
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Config,
  set: LanguageSet,
): void {
  const secure = (publicUrl ?? `${protocol}:`).startsWith('https:')
  reply.setCookie(languageCookieName, set, { path: '/', sameSite: 'lax', secure, maxAge: maxAgeSeconds })
}

/** Set-up precedes the operator's choice, so it follows the browser. */
const isSetupPage = ({ url }: FastifyRequest) => url.startsWith('/setup/')

/**
 * Chooses a page's set: the account's, else the browser's cookie. The browser's preference applies only if
 * the operator allows it, and on the set-up page.
 */
export function resolveLanguageSet(request: FastifyRequest, { language }: Config): LanguageSet {
  const chosen = request.caller?.account.language ?? readLanguageCookie(request)
  if (chosen) return chosen
  const preferred = request.headers['accept-language'] && new Negotiator(request).language([...languages])
  const understood = languages.find((each) => each === preferred)
  if (isSetupPage(request)) return understood ?? 'en'
  return (language === 'auto' && understood) || 'as-it-comes'
}

/** The language for errors that our clients request; others get the catalogue's. */
export function readLanguageHeader({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const given = headers[languageHeaderName]
  return languages.find((language) => language === given)
}
