/** Reads and keeps in which language a request's client shows the web. */
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

/** The set that was chosen in this browser; null for none, or for one that there is not. */
export function readLanguageCookie({ cookies }: Pick<FastifyRequest, 'cookies'>): LanguageSet | null {
  const given = cookies[languageCookieName]
  return isLanguageSet(given) ? given : null
}

/** Keeps a set in the browser, where scripts read it too: it is no secret. */
export function setLanguageCookie(
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Config,
  set: LanguageSet,
): void {
  const secure = (publicUrl ?? `${protocol}:`).startsWith('https:')
  reply.setCookie(languageCookieName, set, { path: '/', sameSite: 'lax', secure, maxAge: maxAgeSeconds })
}

/** The set-up comes before any choice of the operator's, so it follows the browser. */
const isSetupPage = ({ url }: FastifyRequest) => url.startsWith('/setup/')

/**
 * Chooses the set in which a page is sent: the account's, else the browser's. What a browser says it prefers decides only where
 * the operator wants that, and on the set-up page.
 */
export function resolveLanguageSet(request: FastifyRequest, { language }: Config): LanguageSet {
  const chosen = request.caller?.account.language ?? readLanguageCookie(request)
  if (chosen) return chosen
  const preferred = request.headers['accept-language'] && new Negotiator(request).language([...languages])
  const understood = languages.find((each) => each === preferred)
  if (isSetupPage(request)) return understood ?? 'en'
  return (language === 'auto' && understood) || 'as-it-comes'
}

/** The language in which a client of ours wants to be refused; every other client is answered as the catalogue has it. */
export function readLanguageHeader({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const given = headers[languageHeaderName]
  return languages.find((language) => language === given)
}
