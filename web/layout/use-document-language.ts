import { useLayoutEffect } from 'react'

/** Sets the document's language: the sign-in and sign-up pages are Spanish, everything else English. */
export function useDocumentLanguage(lang: 'en' | 'es'): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
