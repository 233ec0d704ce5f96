import { useLayoutEffect } from 'react'

/** The sign-in and sign-up pages are in Spanish, everything else in English (spec §1). */
export function useLanguage(lang: 'en' | 'es'): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
