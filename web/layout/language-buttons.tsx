import {
  getLanguageSet,
  type Language,
  languageCookieName,
  languageNames,
  languages,
} from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'

/** At sign-in, an account without a language adopts the language chosen here. */
export function storeLanguage(language: Language): void {
  // Some browsers and all insecure pages lack the Cookie Store API.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available everywhere
  document.cookie = `${languageCookieName}=${language}; path=/; max-age=34560000; samesite=lax`
}

export function LanguageButtons({ className }: { className?: string }) {
  const choose = (language: Language) => {
    if (language === getLanguageSet()) return
    storeLanguage(language)
    location.reload()
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
