import { useLayoutEffect } from 'react'

/** The default language set has Spanish sign-in pages and English member pages. */
export function useDocumentLanguage(lang: string): void {
  useLayoutEffect(() => {
    document.documentElement.lang = lang
  }, [lang])
}
