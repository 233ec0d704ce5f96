import { useLayoutEffect } from 'react'

/** Sets the document's language: the chosen set's, else Spanish on sign-in pages and English inside. */
export function useDocumentLanguage(lang: 'en' | 'es'): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
