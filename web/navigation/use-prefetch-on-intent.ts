import { useEffect } from 'react'

const intentEvents = ['pointerover', 'touchstart', 'focusin'] as const

/** Calls `onIntent` when the member hovers, touches or focuses a link inside the app or a form with `data-leads-to`. */
export function usePrefetchOnIntent(onIntent: (pathname: string) => void): void {
  useEffect(() => {
    const reportLink = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      const link = target.closest('a')
      const form = target.closest<HTMLElement>('form[data-leads-to]')
      if (link?.origin === location.origin) onIntent(link.pathname)
      else if (form?.dataset.leadsTo) onIntent(form.dataset.leadsTo)
    }
    for (const sign of intentEvents) document.addEventListener(sign, reportLink, { passive: true })
    return () => {
      for (const sign of intentEvents) document.removeEventListener(sign, reportLink)
    }
  }, [onIntent])
}
