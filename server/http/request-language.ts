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

export function readLanguageCookie({ cookies }: Pick<FastifyRequest, 'cookies'>): LanguageSet | null {
  const given = cookies[languageCookieName]
  return isLanguageSet(given) ? given : null
}

/** Scripts may read this cookie. */
export function setLanguageCookie(
  { protocol }: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Config,
  set: LanguageSet,
): void {
  const secure = (publicUrl ?? `${protocol}:`).startsWith('https:')
  reply.setCookie(languageCookieName, set, { path: '/', sameSite: 'lax', secure, maxAge: maxAgeSeconds })
}

/** On the set-up page, the operator has not chosen a language yet. */
const isSetupPage = ({ url }: FastifyRequest) => url.startsWith('/setup/')

/**
 * Uses the account's language, otherwise the cookie's. The browser's preference needs the operator's
 * permission, except on the set-up page.
 */
export function resolveLanguageSet(request: FastifyRequest, { language }: Config): LanguageSet {
  const { language: stored } = request.caller?.account ?? {}
  const chosen = isLanguageSet(stored) ? stored : readLanguageCookie(request)
  if (chosen) return chosen
  const preferred = request.headers['accept-language'] && new Negotiator(request).language([...languages])
  const understood = languages.find((each) => each === preferred)
  if (isSetupPage(request)) return understood ?? 'en'
  return (language === 'auto' && understood) || 'as-it-comes'
}

/** Only our clients send this header. */
export function readLanguageHeader({ headers }: Pick<FastifyRequest, 'headers'>): Language | undefined {
  const given = headers[languageHeaderName]
  return languages.find((language) => language === given)
}
