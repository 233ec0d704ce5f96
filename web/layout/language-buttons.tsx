import {
  getLanguageSet,
  type Language,
  languageCookieName,
  languageNames,
  languages,
  readChosenLanguageSet,
} from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'

/**
 * At sign-in, an account without a language adopts the language chosen here.
 * @returns false if the browser refuses cookies. Chromium stores a cookie some time after it is written; reading it back
 * waits for that, so that a reload sends it.
 */
export function storeLanguage(language: Language): boolean {
  // Some browsers and all insecure pages lack the Cookie Store API.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available everywhere
  document.cookie = `${languageCookieName}=${language}; path=/; max-age=34560000; samesite=lax`
  return readChosenLanguageSet() === language
}

export function LanguageButtons({ className }: { className?: string }) {
  const choose = (language: Language) => {
    if (language === getLanguageSet()) return
    if (storeLanguage(language)) location.reload()
  }
  return (
    <p className={cx('flex flex-wrap justify-center gap-x-2 text-label text-text-2', className)}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={getLanguageSet() === language}
          onClick={() => choose(language)}
          className="min-h-11 px-3 hover:underline aria-pressed:font-[680] aria-pressed:text-text"
        >
          {languageNames[language]}
        </button>
      ))}
    </p>
  )
}
