import { useLayoutEffect } from 'react'

/** Sets the document's language: the sign-in and sign-up pages are Spanish, everything else English, but where one set of texts was chosen. */
export function useDocumentLanguage(lang: 'en' | 'es'): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
