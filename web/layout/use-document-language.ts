import { useLayoutEffect } from 'react'

/**
 * Sets the document's language. In the default language set, it is Spanish on sign-in pages and English on member
 * pages.
 */
export function useDocumentLanguage(lang: 'en' | 'es'): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
